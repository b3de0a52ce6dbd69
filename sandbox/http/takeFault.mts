import type { Fault } from '../world/fault.mts';
import type { World } from '../world/world.mts';

/** Takes one use from the first fault that matches a request. @returns undefined if none matches */
export function takeFault(world: World, method: string, path: string): Fault | undefined {
	const fault = world.faults.find(({ match }) => {
		const sameMethod = !match.method || match.method.toUpperCase() === method;
		return sameMethod && (!match.path || pathMatches(match.path, path));
	});
	if (!fault) {
		return undefined;
	}
	fault.times -= 1;
	if (fault.times === 0) {
		world.faults.splice(world.faults.indexOf(fault), 1);
	}
	return fault;
}

function pathMatches(pattern: string, path: string): boolean {
	return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}
