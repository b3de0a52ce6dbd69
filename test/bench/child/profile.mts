import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';

import type { Parts } from '../job.mts';

/** What a frame of the stack says about a sample; undefined if nothing. The innermost frame that says something counts. */
function partOf({ functionName, url }: Profiler.ProfileNode['callFrame']): keyof Parts | undefined {
	if (functionName === '(garbage collector)') {
		return 'garbage';
	}
	if (functionName === '_getNodeParameter') {
		return 'parameters';
	}
	if (/\/(n8n-core|axios)\//.test(url)) {
		return 'request';
	}
	return /\/(n8n-nodes-[a-z-]+\/dist|bench\/child\/engine\.mts)/.test(url) ? 'own' : undefined;
}

/** Adds up the time of the samples, in milliseconds. */
function partsOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Parts {
	const parts: Parts = { parameters: 0, own: 0, request: 0, garbage: 0 };
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
	for (const [index, leaf] of samples.entries()) {
		if (byId.get(leaf)?.callFrame.functionName === '(idle)') {
			continue;
		}
		let part: keyof Parts | undefined;
		for (let id: number | undefined = leaf; id !== undefined && part === undefined; id = parents.get(id)) {
			part = partOf(byId.get(id)!.callFrame);
		}
		parts[part ?? 'request'] += timeDeltas[index]! / 1000;
	}
	return parts;
}

/** Starts a profile of this process. @returns a function that stops it and says where the time went */
export async function startProfile(): Promise<() => Promise<Parts>> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: 200 });
	await session.post('Profiler.start');
	return async () => {
		const { profile } = await session.post('Profiler.stop');
		session.disconnect();
		return partsOf(profile);
	};
}
