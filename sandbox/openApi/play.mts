import type { Seed } from '../seed/index.mts';
import { TOUR } from './tour.mts';

/** A JSON value: a text, or an object or a list whose values are accessed by name or index. */
export type ResponseValue = string & { [key: string]: ResponseValue; [index: number]: ResponseValue };

/** The data that a request of the tour sends. */
export interface Given {
	params?: Record<string, string>;
	query?: Record<string, unknown>;
	body?: unknown;
}

/** The environment of the tour. */
interface Guide {
	seed: Seed;
	/** The address of a receiver that responds with 200, or with 500 below `/broken`. */
	receiver: string;
	/** Sends a request to a route below /api/v1, written as `GET /agents/:agent_id`. @returns the body of the success */
	send(route: string, given?: Given): Promise<ResponseValue>;
	/** Advances the sandbox's clock. */
	advance(seconds: number): Promise<void>;
}

/** Runs the tour. @throws Error for a line that is not a step */
export async function playTour({ seed, receiver, send, advance }: Guide): Promise<void> {
	const values: Record<string, unknown> = { seed, receiver };
	const lookUp = (path: string): unknown => {
		const found = path.split('.').reduce<unknown>((value, name) => Object(value)[name], values);
		if (found === undefined) {
			throw new Error(`${path} is undefined`);
		}
		return found;
	};
	const parsed = (json?: string): unknown =>
		json &&
		JSON.parse(json, (_key, value) =>
			typeof value === 'string'
				? value.replace(/\$([a-z][\w.]*)/g, (_all, path: string) => String(lookUp(path)))
				: value,
		);
	// An indented line continues the previous line. A query and a body belong to the previous request.
	const steps = TOUR.replace(/^#.*\n/gm, '').replace(/\n\s+(?=\S)/g, (space) => (/^\n+$/.test(space) ? '\n' : ' '));
	for (const step of steps.trim().split(/\n(?![?{])/)) {
		const [line, ...parts] = step.split('\n');
		const [, name, path] = /^(\w+) = (.+)$/.exec(line) ?? [];
		const [, seconds] = /^advance (\d+)$/.exec(line) ?? [];
		if (name !== undefined) {
			values[name] = path.startsWith('"') ? JSON.parse(path) : lookUp(path);
		} else if (seconds !== undefined) {
			await advance(Number(seconds));
		} else if (/^[A-Z]+ \//.test(line)) {
			const variables = [...line.matchAll(/:(\w+)/g)].map(([, variable]) => [variable, String(lookUp(variable))]);
			const query = parsed(parts.find((part) => part.startsWith('?'))?.slice(1)) as Given['query'];
			const body = parsed(parts.find((part) => part.startsWith('{')));
			values.response = await send(line, { params: Object.fromEntries(variables), query, body });
		} else {
			throw new Error(`This line is not a step: ${line}`);
		}
	}
}
