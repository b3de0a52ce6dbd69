import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { Operation } from '../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../nodes/VoiceAgentCalling/resources/index.ts';
import { root } from '../../scripts/lib/places.mts';
import { shownElsewhere, usedByNode } from './everyField/exceptions.mts';
import { settingsOf } from './everyField/settings.mts';
import { makeRuns } from './schemaRuns/run.mts';
import { endNextCall, type Parameters } from './schemaRuns/runs.mts';
import { useService } from './service.mts';

// The clock stands still and IDs are the same in each run: only the parameters make a difference.
const service = useService({ seed: 1, speed: 0, rateLimit: 1_000_000 });

/** Two calls to the same number where the operation calls. */
const itemsOf = ({ placesCall }: Operation) => (placesCall ? [{}, {}] : [{}]);

interface Seen {
	requests: string;
	output: string;
	invalid?: string;
}

/** Without secrets, and the times at which they were made. */
const withoutSecrets = (text: string) => text.replace(/\b[0-9a-f]{64}\b/g, 'secret').replace(/&(g|f)=[\d,]+/g, '');

/** Without what differs from run to run: secrets, times and durations. */
const lasting = (output: string) =>
	withoutSecrets(output)
		.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
		.replace(/\bexpires=\d+/g, 'expires')
		.replace(/"(response_time|duration_ms)":\d+/g, '');

/** Runs an operation with some parameters, always from the current state of the service. */
async function runnerOf(resource: string, operation: Operation) {
	const path = `${service.url}/_sandbox/snapshot`;
	const snapshot = await (await fetch(path)).arrayBuffer();
	const restore = async () => await fetch(path, { method: 'POST', body: snapshot });
	const run = async (parameters: Parameters): Promise<Seen> => {
		const { length } = await service.requests();
		const all = { ...parameters, resource, operation: operation.value };
		const node = { onError: 'continueRegularOutput' } as const;
		const made = await service.run(all, itemsOf(operation), { node }).catch((error: unknown) => String(error));
		if (typeof made === 'string') {
			return { requests: '', output: '', invalid: made };
		}
		const requests = (await service.requests()).slice(length);
		const sent = requests.map(({ method, path: to, query, body }) => JSON.stringify([method, to, query, body]));
		const items = made.outputs[0] ?? [];
		const shown = items.map(({ json, binary }) => [json, Object.keys(binary ?? {})]);
		const refused = items.find(({ json }) => json.code === 'INVALID_INPUT')?.json.message;
		return {
			requests: withoutSecrets(sent.sort().join('\n')),
			output: lasting(JSON.stringify([made.run.status, shown])),
			...(refused !== undefined && { invalid: String(refused) }),
		};
	};
	const once = (work: typeof run): typeof run => {
		const known = new Map<string, Promise<Seen>>();
		return async (parameters) => {
			const key = JSON.stringify(parameters);
			const result = known.get(key) ?? work(parameters);
			known.set(key, result);
			return await result;
		};
	};
	const refuse = async () => {
		for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
			await service.fault({ match: { method }, kind: 'status', status: 402, body: {}, times: 100_000 });
		}
	};
	await refuse();
	return {
		run,
		/** The service refuses all changes, so that its state stays as it is, and no call has to be awaited. */
		refused: once(run),
		/** The service does what it is asked for. */
		done: once(async (parameters) => {
			await restore();
			const seen = await run(parameters);
			await refuse();
			return seen;
		}),
		restore,
	};
}

/** Whether a list has a setting, also as one of all operations or as the list that it is a part of. */
function entryFor(list: readonly string[], operation: string, name: string): string | undefined {
	const parts = name.split('.');
	const names = parts.map((_, index) => parts.slice(0, index + 1).join('.'));
	return names.flatMap((one) => [`${operation}/${one}`, `*/${one}`]).find((one) => list.includes(one));
}

/** The exception for a setting; one that is shown elsewhere comes before one that the node uses. */
const exceptionFor = (operation: string, name: string) =>
	entryFor(Object.keys(shownElsewhere), operation, name) ?? entryFor(usedByNode, operation, name);

/** @returns undefined if two valid runs have different effects; otherwise why a run was not valid, or '' */
async function makesDifference(
	runs: Parameters[],
	effectOf: (run: Parameters) => Promise<{ effect: string; invalid?: string }>,
): Promise<string | undefined> {
	const effects = new Set<string>();
	let refusal = '';
	for (const run of runs) {
		const { effect, invalid } = await effectOf(run);
		if (invalid === undefined) {
			effects.add(effect);
		} else {
			refusal = invalid;
		}
		if (effects.size > 1) {
			return undefined;
		}
	}
	return refusal;
}

describe('each field of an operation changes what the service gets, or, if only the node uses it, what comes out', () => {
	test.each(resources.map(({ name, value, operations }) => [name, value, operations] as const))(
		'%s',
		async (_name, resource, operations) => {
			const without: string[] = [];
			const tested = new Set<string>();
			await makeRuns(service, resource, async (value, parameters) => {
				const operation = operations.find((one) => one.value === value) as Operation;
				const path = `${resource}/${value}`;
				// Some operations come again with another source.
				const settings = settingsOf(operation, parameters ?? {}).filter(({ name }) => !tested.has(`${path}/${name}`));
				if (settings.length === 0) {
					return;
				}
				const { run: runAgain, refused, done, restore } = await runnerOf(resource, operation);
				// The first run also reads what n8n's process remembers, and uses up what happens only once.
				await runAgain(parameters);
				// Otherwise every field would seem to make a difference.
				expect([operation.value, await runAgain(parameters)]).toEqual([operation.value, await refused(parameters)]);
				for (const { name, local, runs } of settings) {
					tested.add(`${path}/${name}`);
					const exception = exceptionFor(path, name);
					if (exception !== undefined && exception in shownElsewhere) {
						continue;
					}
					const difference = async (seen: typeof done) =>
						await makesDifference(runs, async (run) => {
							const { requests, output, invalid } = await seen(run);
							return { effect: local || exception !== undefined ? `${requests}\n${output}` : requests, invalid };
						});
					// The cheaper way first.
					let refusal = await difference(refused);
					if (refusal !== undefined && operation.waitsFor !== 'calls') {
						refusal = await difference(done);
					}
					if (refusal !== undefined) {
						without.push(`${path}/${name} makes no difference${refusal && `: ${refusal}`}`);
					}
				}
				await restore();
				if (operation.waitsFor === 'calls') {
					await endNextCall(service, String(parameters?.phoneNumber));
				}
			});
			expect(without).toEqual([]);
		},
		300_000,
	);
});

test('Each exception names a field, and a test that runs it', () => {
	const used = resources.flatMap(({ value: resource, operations }) =>
		operations.flatMap((operation) =>
			settingsOf(operation, {}).map(({ name }) => exceptionFor(`${resource}/${operation.value}`, name)),
		),
	);
	const exceptions = [...usedByNode, ...Object.keys(shownElsewhere)];
	expect(exceptions.filter((one) => !used.includes(one))).toEqual([]);
	// Each of these tests itself looks whether it has run the fields: everyField/ran.mts.
	const tests = Object.values(shownElsewhere).map(([, test]) => join(root, 'test', `${test}.test.mts`));
	expect(tests.filter((file) => !existsSync(file))).toEqual([]);
});
