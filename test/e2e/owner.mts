/** The owner of each n8n that a test starts. */
export const owner = {
	email: 'owner@example.com',
	password: ['Local', 'Owner', '1'].join('-'),
	firstName: 'Ada',
	lastName: 'Owner',
};
