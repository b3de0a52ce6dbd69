/** A JSON value: a text, or something with access by name or index to others. The steps know which. */
export type Answer = string & { [key: string]: Answer; [index: number]: Answer };

/** What a step of the tour sends. */
export interface Given {
	params?: Record<string, string>;
	query?: Record<string, unknown>;
	body?: unknown;
}

/** What the steps of a file need. */
export interface Player {
	/** What stands for `$name` and for the variables of paths from the beginning. */
	known: Record<string, unknown>;
	/** Sends a request to a route below /api/v1. @returns the body of the answer */
	send(route: string, given?: Given): Promise<Answer>;
	/** Lets time pass in the sandbox. */
	advance?(seconds: number): Promise<void>;
}

/** Sends the requests of a text as tour.http explains it. @throws Error for a line that is no step */
export async function play(text: string, { known, send, advance }: Player): Promise<void> {
	const values = { ...known };
	const lookUp = (path: string): unknown => {
		const found = path.split('.').reduce<unknown>((value, name) => Object(value)[name], values);
		if (found === undefined) {
			throw new Error(`There is no ${path}`);
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
	// An indented line goes on with the one before; a query and a body belong to the request before.
	const steps = text.replace(/^#.*\n/gm, '').replace(/\n\s+(?=\S)/g, (space) => (/^\n+$/.test(space) ? '\n' : ' '));
	for (const step of steps.trim().split(/\n(?![?{])/)) {
		const [line, ...parts] = step.split('\n');
		const [, name, path] = /^(\w+) = (.+)$/.exec(line) ?? [];
		const [, seconds] = /^advance (\d+)$/.exec(line) ?? [];
		if (name !== undefined) {
			values[name] = path.startsWith('"') ? JSON.parse(path) : lookUp(path);
		} else if (seconds !== undefined) {
			await advance?.(Number(seconds));
		} else if (/^[A-Z]+ \//.test(line)) {
			const variables = [...line.matchAll(/:(\w+)/g)].map(([, variable]) => [variable, String(lookUp(variable))]);
			const query = parsed(parts.find((part) => part.startsWith('?'))?.slice(1)) as Given['query'];
			const body = parsed(parts.find((part) => part.startsWith('{')));
			values.answer = await send(line, { params: Object.fromEntries(variables), query, body });
		} else {
			throw new Error(`This is no step: ${line}`);
		}
	}
}
