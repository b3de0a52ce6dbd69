import { deliveryStatus, statusWord } from '../../../../nodes/shared/client/statuses.ts';

test.each([
	['PAUSED', 'paused'],
	[' Canceled', 'cancelled'],
	[undefined, ''],
])('The status %j is %j', (status, word) => {
	expect(statusWord(status)).toBe(word);
});

describe('A delivery in the log has failed', () => {
	test.each([
		[{ status: 'FAILED', http_status: 200 }, 'failed'],
		[{ status: 'error', http_status: 500 }, 'failed'],
		[{ status: 'delivered', http_status: 204 }, 'success'],
		[{ status: 'error', http_status: null, error: 'no answer' }, 'failed'],
		[{ status: 'retrying', http_status: 500 }, 'retrying'],
		[{ status: 'queued', http_status: null, error: null }, 'queued'],
	])('by its status, or by what was answered: %j', (entry, status) => {
		expect(deliveryStatus(entry)).toBe(status);
	});
});
