import type { IDataObject } from 'n8n-workflow';

/**
 * What n8n takes for an error of the node at the top of an item's `json`, and its name in the output. If the first item
 * has `error`, n8n runs the node again, with Retry On Fail. It sends an item that has little else to the error output.
 * One with `$error` and `$json` loses everything but the message of the error, whatever On Error is.
 */
const NAMES: Readonly<Record<string, string>> = { error: 'serviceError', $error: '$serviceError' };

const MISREAD = Object.keys(NAMES);

/** The name that a field of the service has in an output item. */
export function outputName(name: string): string {
	return NAMES[name] ?? name;
}

function renamed(json: IDataObject, misread: readonly string[]): IDataObject {
	if (!misread.some((name) => name in json)) {
		return json;
	}
	const nameOf = (name: string): string => {
		let free = NAMES[name];
		while (free in json) {
			free += '_';
		}
		return free;
	};
	return Object.fromEntries(
		Object.entries(json).map(([name, value]) => [misread.includes(name) ? nameOf(name) : name, value]),
	);
}

/** What the service said, as the `json` of an output item that n8n does not take for an error. */
export function itemJson(json: IDataObject): IDataObject {
	return renamed(json, MISREAD);
}

/** An event as the `json` of a trigger's item. It keeps `error`: a trigger does not run, and its items have more. */
export function eventJson(json: IDataObject): IDataObject {
	return renamed(json, ['$error']);
}
