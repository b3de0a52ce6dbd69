import { canceled, notTried, outcomeUnknown } from '../../../../nodes/shared/client/itemErrors.ts';
import { SharedReads } from '../../../../nodes/shared/client/run.ts';
import { invalid } from '../../../../nodes/shared/errors/serviceError.ts';

const failure = invalid('The agent is a draft', 'Publish it.');

describe('What all items need', () => {
	test('is read once for each name, at the same time and later', async () => {
		const reads = new SharedReads();
		const read = jest.fn(async () => 'a');
		const together = await Promise.all([reads.read('agent a', read), reads.read('agent a', read)]);
		expect([...together, await reads.read('agent a', read)]).toEqual(['a', 'a', 'a']);
		expect(read).toHaveBeenCalledTimes(1);
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

test('the error of an item keeps what the service said of it, or of the item that failed before it', () => {
	const said = { httpStatus: 503, body: { a: 1 }, fieldNames: ['to'] };
	expect(outcomeUnknown(true, failure.with(said))).toMatchObject({
		...said,
		code: 'OUTCOME_UNKNOWN',
		accepted: 'unknown',
		message: expect.stringContaining(failure.message),
		advice: expect.stringMatching(/The phone may be ringing\. .* Publish it\.$/),
	});
	expect(outcomeUnknown(false).advice).toBe('The service may have done it. Check there before you run this again.');
	expect(notTried(failure, 3)).toMatchObject({
		code: 'NOT_TRIED',
		accepted: 'no',
		advice: 'Publish it.',
		message: 'Not tried: item 3 failed with "The agent is a draft"',
	});
	// n8n recognizes an execution that was canceled by this word.
	const message = expect.stringContaining('canceled');
	expect(canceled()).toMatchObject({ code: 'CANCELED', accepted: 'no', advice: '', message });
	expect(canceled('Look.')).toMatchObject({ advice: 'Look.', message });
});
