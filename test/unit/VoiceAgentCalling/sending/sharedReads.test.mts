import { invalid } from '../../../../nodes/shared/errors/serviceError.ts';
import { canceled, notTried, outcomeUnknown } from '../../../../nodes/VoiceAgentCalling/sending/itemErrors.ts';
import { SharedReads } from '../../../../nodes/VoiceAgentCalling/sending/sharedReads.ts';

const failure = invalid('The agent is a draft', 'Publish it.');

describe('What all items need', () => {
	test('is read once for all, at the same time and later', async () => {
		const reads = new SharedReads();
		const read = jest.fn(async () => ({ id: 'agent' }));
		const together = await Promise.all([reads.read('agent a', read), reads.read('agent a', read)]);
		expect([...together, await reads.read('agent a', read)]).toEqual([1, 2, 3].map(() => ({ id: 'agent' })));
		expect(read).toHaveBeenCalledTimes(1);
	});

	test('is read for each name', async () => {
		const reads = new SharedReads();
		expect(await reads.read('agent a', async () => 'a')).toBe('a');
		expect(await reads.read('agent b', async () => 'b')).toBe('b');
	});

	test('fails for all items that wait for it, and is read again for the next one', async () => {
		const reads = new SharedReads();
		const read = jest.fn(async () => await Promise.reject(failure));
		const together = await Promise.allSettled([reads.read('agent', read), reads.read('agent', read)]);
		expect(together).toEqual([1, 2].map(() => ({ status: 'rejected', reason: failure })));
		expect(read).toHaveBeenCalledTimes(1);
		expect(await reads.read('agent', async () => 'found')).toBe('found');
	});

	test('is read again by an item that waits, if the item that was reading is not tried', async () => {
		const reads = new SharedReads();
		const first = reads.read('agent', async () => await Promise.reject(notTried(failure, 0)));
		const second = reads.read('agent', async () => 'found');
		await expect(first).rejects.toMatchObject({ code: 'NOT_TRIED' });
		expect(await second).toBe('found');
		// The first read, which ended later, does not delete the result of the second.
		expect(await reads.read('agent', async () => 'read again')).toBe('found');
	});
});

describe('The error of an item', () => {
	test('whose outcome is unknown keeps what the service said', () => {
		const cause = failure.with({ httpStatus: 503, body: { a: 1 }, fieldNames: ['to'] });
		const error = outcomeUnknown(true, cause);
		expect(error).toMatchObject({
			code: 'OUTCOME_UNKNOWN',
			accepted: 'unknown',
			httpStatus: 503,
			body: { a: 1 },
			fieldNames: ['to'],
		});
		expect(error.message).toContain(failure.message);
		expect(error.advice).toMatch(/The phone may be ringing\. .* Publish it\.$/);
		expect(outcomeUnknown(false).advice).toBe('The service may have done it. Check there before you run this again.');
	});

	test('that was not tried names the other item, its error and the advice', () => {
		expect(notTried(failure, 3)).toMatchObject({
			code: 'NOT_TRIED',
			accepted: 'no',
			message: 'Not tried: item 3 failed with "The agent is a draft"',
			advice: 'Publish it.',
		});
	});

	test('of a canceled execution has the word by which n8n recognizes it', () => {
		expect(canceled()).toMatchObject({ code: 'CANCELED', accepted: 'no', advice: '' });
		expect(canceled('Look.').message).toContain('canceled');
		expect(canceled('Look.').advice).toBe('Look.');
	});
});
