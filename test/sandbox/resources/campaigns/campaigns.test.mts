import { draftCampaign, SFTP, type Step, setStatus, useStories, webhook } from '../../story.mts';

const to = '+12025550001';
const { play, stories } = useStories();

describe('campaigns', () => {
	useStories({ maxCampaigns: 46 }).stories({
		'are limited by the plan': [
			['DELETE /campaigns/{draft} 200'],
			...draftCampaign('one'),
			['POST /campaigns 403', { ...(draftCampaign('')[0]![1] as object) }, 'plan'],
		],
	});

	stories({
		'are deleted with their webhooks, unless they are active': [
			['DELETE /campaigns/{active} 403', 'active'],
			webhook('hook', 'campaigns/{draft}', { enabled: false }),
			['DELETE /campaigns/{draft} 200'],
			['POST /_sandbox/deliver 404', { webhookId: '{hook}', event: 'campaign.updated' }, 'Webhook not found.'],
		],
		'have one open call to a number, unless duplicates are allowed': [
			['POST /campaigns/{active}/call 201 > first', { to }],
			['POST /campaigns/{active}/call 409', { to }, { existing_call: { id: '{first}' } }],
			['POST /campaigns/{active}/call 201', { to, allow_duplicates: true }],
		],
	});
});

describe('a campaign status', () => {
	const ALLOWED: Record<string, string[]> = {
		draft: ['active', 'cancelled'],
		active: ['paused', 'completed', 'cancelled'],
		paused: ['active', 'completed', 'cancelled'],
		completed: [],
		cancelled: [],
	};
	it.each(Object.entries(ALLOWED))(
		'%s leads to %j and nothing else, and only active takes calls',
		async (from, allowed) => {
			const path = `/campaigns/{${from}}`;
			const read = (status: string): Step => [`GET ${path} 200`, { data: { status } }];
			await play([
				from === 'active' ? [`POST ${path}/call 201`, { to }] : [`POST ${path}/call 400`, { to }, from],
				...Object.keys(ALLOWED)
					.filter((status) => !allowed.includes(status))
					.flatMap((status): Step[] => [[`PATCH ${path}/status 400`, { status }], read(from)]),
				...allowed.flatMap((status): Step[] => [['POST /_sandbox/reset 200'], setStatus(from, status), read(status)]),
			]);
		},
	);
});

describe('a campaign’s SFTP configuration', () => {
	const path = '/campaigns/{active}/sftp';
	const enable: Step = [`PUT ${path} 200`, { is_enabled: true }, { data: { is_enabled: true } }];
	const refused = (more: object = {}): Step => [`PUT ${path} 422`, { is_enabled: true, ...more }, 'SFTP_TEST_REQUIRED'];

	it.each([
		['sftp.example.com', true],
		['127.0.0.1', true],
		['invalid.example.com', true],
		['sftp.invalid', false],
		['sftp.INVALID.', false],
	])('has a test for %s, to which nothing is sent, and needs its success to be enabled: %s', async (host, works) => {
		await play([
			[`POST ${path} 201`, { ...SFTP, host, port: 1 }],
			refused({ import_path: '/in' }),
			[`GET ${path} 200`, { data: { is_enabled: false, import_path: null } }],
			[`POST ${path}/test-connection 200`, undefined, { success: works }],
			[`GET ${path} 200`, { data: { last_test_success: works } }],
			works ? enable : refused(),
		]);
	});

	const KEY = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----\nYWJjZGVm\n-----END OPENSSH', 'PRIVATE KEY-----\n'].join(' ');
	it.each([
		['host', 'other.example.com'],
		['port', 2222],
		['username', 'grace'],
		['auth_type', 'private_key'],
		['password', 'another'],
		['private_key', KEY.replace('OPENSSH', 'RSA')],
		['private_key_passphrase', 'another'],
	])('is disabled by a change of the connection’s %s, and only by such a one', async (field, value) => {
		await play([
			[`POST ${path} 201`, { ...SFTP, private_key: KEY }],
			[`POST ${path}/test-connection 200`],
			enable,
			[`PUT ${path} 200`, { ...SFTP, export_path: '/out' }, { data: { is_enabled: true } }],
			refused({ [field]: value }),
			[`GET ${path} 200`, { data: { is_enabled: true, last_test_success: true } }],
			[`PUT ${path} 200`, { [field]: value }],
			[`GET ${path} 200`, { data: { is_enabled: false, last_test_at: null, last_test_success: null } }],
			refused(),
		]);
	});
});
