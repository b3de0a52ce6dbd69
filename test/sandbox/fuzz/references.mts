/** The objects that requests can refer to, by kind (such as `agent_id`), in the order in which they were seen. */
export type Known = Map<string, string[]>;

/** The last part of a path that lists objects, and the kind of their ids. */
const KINDS: Record<string, string> = {
	agents: 'agent_id',
	campaigns: 'campaign_id',
	webhooks: 'webhook_id',
	calendars: 'calendar_id',
	events: 'event_id',
	'availability-rules': 'rule_id',
	'sip-trunks': 'trunk_id',
	'phone-numbers': 'phone_number_id',
	calls: 'call_id',
	call: 'call_id',
	inbound: 'call_id',
	deliveries: 'delivery_id',
	requests: 'request_id',
	faults: 'fault_id',
	script: 'script_id',
	actions: 'action_id',
	trainings: 'training_id',
	members: 'member_id',
	logs: 'log_id',
};
/** Kinds of which there are many, most of them of the past: they count from the newest. */
const MANY = ['call_id', 'delivery_id', 'request_id', 'log_id', 'file'];
/** What an answer wraps its object or list in. */
const WRAPPERS = ['data', 'items', 'call', 'script'];

/** @returns the kind of the ids in a list; `resource` is a part of a path */
export function kindOf(resource: string): string {
	return KINDS[resource] ?? 'any_id';
}

/** Adds the ids in an answer. @param path the route, with its variables */
export function learn(known: Known, path: string, answer: unknown): void {
	const fixed = path.split('/').filter((part) => part !== '' && !/^[:{]/.test(part));
	const own = kindOf(fixed.at(-1) ?? '');
	// What an `id` belongs to is said by the list that it is in.
	const visit = (node: unknown, kind: string, depth: number): void => {
		if (Array.isArray(node)) {
			for (const item of node.slice(0, 40)) {
				visit(item, kind, depth + 1);
			}
		} else if (typeof node === 'object' && node !== null && depth < 6) {
			for (const [key, value] of Object.entries(node)) {
				if (typeof value !== 'string') {
					visit(value, WRAPPERS.includes(key) ? kind : (KINDS[key] ?? 'any_id'), depth + 1);
				} else if (/^[\w+.:-]{1,100}$/.test(value) && (key === 'number' || /(^|_)id$/.test(key))) {
					add(known, key === 'id' ? kind : key, value);
				} else if (/\/(recordings|voice-demos)\//.test(value)) {
					add(known, 'file', value.split('/').at(-1)!);
				}
			}
		}
	};
	visit(answer, own, 0);
}

/** Adds an id, unless it is known. */
export function add(known: Known, kind: string, id: string): void {
	const list = known.get(kind) ?? [];
	if (!list.includes(id)) {
		known.set(kind, [...list, id]);
	}
}

/** Replaces what stands for something else: `<agent_id:3>`, `"<json:1e999>"`, `<deep:100>`, `<many:100>`. */
export function resolve(known: Known, text: string): string {
	return text
		.replace(/"<json:([^>]*)>"/g, '$1')
		.replace(/"?<deep:(\d+)>"?/g, (_, levels) => '['.repeat(Number(levels)) + ']'.repeat(Number(levels)))
		.replace(/"?<many:(\d+)>"?/g, (_, items) => JSON.stringify(Array.from({ length: Number(items) }, () => 1)))
		.replace(/<(\w+):(\d+)>/g, (_, kind: string, index) => {
			const list = known.get(kind) ?? known.get('any_id') ?? [];
			const place = Number(index) % list.length;
			return list.at(MANY.includes(kind) ? -1 - place : place) ?? `no-${kind}`;
		});
}
