import type { IDataObject } from 'n8n-workflow';

/**
 * The output names of fields that n8n would mistake for an error of the node, at the top level of an item's `json`. If
 * the first item contains `error`, n8n runs the node again, with Retry On Fail; an item with little else goes to the
 * error output. An item with `$error` and `$json` loses everything except the error's message, whatever On Error is.
 */
const NAMES: Readonly<Record<string, string>> = { error: 'serviceError', $error: '$serviceError' };

const MISREAD = Object.keys(NAMES);

/** Returns the name of a field of the service in an output item. */
export function outputName(name: string): string {
	return NAMES[name] ?? name;
}

/** Moves the IDs of an object to the end: a table in n8n's editor then begins with what people look for. */
export function idsLast(json: IDataObject): IDataObject {
	const rankOf = (name: string) => (name === 'id' ? 2 : Number(name.endsWith('_id')));
	return Object.fromEntries(Object.entries(json).sort(([one], [other]) => rankOf(one) - rankOf(other)));
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

/** Returns data of the service as the `json` of an output item that n8n does not mistake for an error. */
export function itemJson(json: IDataObject): IDataObject {
	return renamed(json, MISREAD);
}

/** Returns an event as the `json` of a trigger's item. `error` is safe there: n8n does not retry a trigger. */
export function eventJson(json: IDataObject): IDataObject {
	return renamed(json, ['$error']);
}
