import type { IDataObject } from 'n8n-workflow';

import {
	noteInUse,
	putBackNewerKey,
	successorsOf,
} from '../../../../nodes/VoiceAgentCallingTrigger/registration/newerKey.ts';
import { nodeKey } from '../../../../nodes/VoiceAgentCallingTrigger/registration/nodeKey.ts';
import { type DoubleOptions, unreachable } from '../../n8n.mts';
import { registrationOf, triggerOf } from '../trigger.mts';

let count = 0;
/** A trigger of a node that no other test has. `reads` counts how often its credential is read. */
function triggerWith(stored: IDataObject = {}, options: DoubleOptions = {}) {
	const made = triggerOf({ nodeId: `newer-${(count += 1)}`, staticData: registrationOf(stored), ...options });
	const { getCredentials } = made.caller;
	const read = { times: 0, fails: false };
	made.caller.getCredentials = async (...args) => {
		read.times += 1;
		if (read.fails) {
			throw unreachable;
		}
		return await getCredentials(...args);
	};
	const following = async () => await successorsOf(made.caller, nodeKey(made.caller), made.staticData);
	return { ...made, read, following };
}

describe('The keys that follow the stored one', () => {
	test('are computed once a minute for a stored key: a forged delivery does not read the credential', async () => {
		jest.useFakeTimers();
		const { following, read } = triggerWith();
		const first = await following();
		jest.advanceTimersByTime(59_999);
		expect(await following()).toBe(first);
		expect([first.length, read.times]).toEqual([2, 1]);
		jest.advanceTimersByTime(1);
		expect(await following()).toEqual(first);
		jest.useRealTimers();
		expect(read.times).toBe(2);
	});

	test('are others as soon as another key is stored, or a former one is all that is left', async () => {
		const { following, staticData, read } = triggerWith();
		const first = await following();
		staticData.secret = '2'.repeat(64);
		const second = await following();
		delete staticData.secret;
		staticData.former = [{ secret: '1'.repeat(64) }];
		expect(await following()).toEqual(first);
		delete staticData.former;
		expect(await following()).toEqual([]);
		expect(second).not.toEqual(first);
		expect(read.times).toBe(4);
	});

	test('are computed again once the service has taken one', async () => {
		const { caller, following, read } = triggerWith();
		const [next] = await following();
		noteInUse(nodeKey(caller), next);
		await following();
		expect(read.times).toBe(2);
	});

	test('are computed again after the credential could not be read', async () => {
		const { following, read } = triggerWith();
		read.fails = true;
		await expect(following()).rejects.toThrow('ECONNREFUSED');
		read.fails = false;
		expect(await following()).toHaveLength(2);
	});
});

describe('An older key that was written back', () => {
	test('is replaced by the one that the service uses, and stays accepted for an hour', async () => {
		const { caller, staticData, following, logs } = triggerWith();
		const { secret } = staticData;
		const keys = await following();
		noteInUse(nodeKey(caller), keys[1]);
		expect(putBackNewerKey(caller, keys)).toBe(true);
		expect(staticData).toMatchObject({ ...keys[1], former: [{ secret, until: expect.any(Number) }] });
		expect(logs).toEqual([
			{ level: 'warn', text: expect.stringContaining('"Calls" had an older'), more: { workflowId: 'workflow-1' } },
		]);
	});

	test.each<[string, IDataObject]>([
		['the key in use does not follow the stored one', { secret: '2'.repeat(64) }],
		['no key is stored', { secret: undefined }],
		['another workflow has stored it', { workflowId: 'another workflow' }],
	])('is left alone if %s', async (_why, changes) => {
		const { caller, staticData, following, logs } = triggerWith();
		const keys = await following();
		noteInUse(nodeKey(caller), keys[0]);
		Object.assign(staticData, changes);
		const now = await following();
		expect(putBackNewerKey(caller, changes.secret === undefined ? keys : now)).toBe(false);
		expect(staticData.former).toBeUndefined();
		expect(logs).toEqual([]);
	});

	test('is left alone if this process knows of no newer one, or only of one for a test run', async () => {
		const { caller, staticData, following } = triggerWith();
		const keys = await following();
		expect(putBackNewerKey(caller, keys)).toBe(false);
		const { caller: inEditor } = triggerWith({}, { mode: 'manual', nodeId: caller.getNode().id });
		noteInUse(nodeKey(inEditor), keys[0]);
		expect(putBackNewerKey(caller, keys)).toBe(false);
		expect(staticData).toEqual(registrationOf());
	});
});
