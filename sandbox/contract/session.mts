import { type Client, type Exchange, NotTested, patternless, type Sent } from './client.mts';
import { type CreationLog, type Kind, PATHS, WORDS } from './createdObjects.mts';
import { isOwn, namedLike } from './ownObjects.mts';
import { dataIn, type Fields, idOf, isObject, ownIdOf, refusedFields, rowsOf } from './read.mts';
import type { Receiver } from './receiver.mts';

/** What a check needs beside an account, as the option that gives it. Reading needs nothing. */
export const NEEDS = {
	write: '--write',
	receive: '--receive URL',
	call: '--call NUMBER',
	publish: '--publish',
	activate: '--activate',
} as const;
export type Need = keyof typeof NEEDS;

/** What a check found. */
export type Verdict =
	| { is: 'confirmed' }
	/** @param seen what was seen instead: texts, and answers, which are cleaned before they are shown */
	| { is: 'otherwise'; seen: Array<string | Exchange> }
	| { is: 'notTested'; needs: string };

/** A question of docs/contributing/assumptions.md that a client can answer. */
export interface Check {
	/** As it stands on the page. */
	question: string;
	/** The page's section. */
	section: string;
	needs: readonly Need[];
	/** Whether it looks at the answers to all other checks. */
	last: boolean;
	check(session: Session): Promise<Verdict>;
}

/** Confirmed if the condition holds; otherwise with what was seen. */
export function verdict(holds: boolean, ...seen: Array<string | Exchange>): Verdict {
	return holds ? { is: 'confirmed' } : { is: 'otherwise', seen };
}

/** A check of a section. @param last whether it looks at the answers to all other checks */
export function assumption(
	question: string,
	needs: readonly Need[],
	run: (session: Session) => Promise<Verdict>,
	last = false,
): Omit<Check, 'section'> {
	return { question, needs, check: run, last };
}

/** The checks of a section. */
export function inSection(section: string, checks: Array<Omit<Check, 'section'>>): Check[] {
	return checks.map((check) => ({ ...check, section }));
}

/** Whether an answer refuses a field. @throws NotTested if it refuses without naming any */
export function refusesField(answer: Exchange, field: string): boolean {
	const fields = refusedFields(answer.body);
	if (isRefused(answer) && fields.size === 0) {
		throw new NotTested('needs errors that name their fields');
	}
	return isRefused(answer) && fields.has(field);
}

/** Nothing has this ID. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-00000000dead';

export const isRefused = ({ status }: Exchange) => status >= 400 && status < 500 && status !== 429;
export const isOk = ({ status }: Exchange) => status >= 200 && status < 300;

/** What the checks of a run share: requests, what was read, and the objects that it has created. */
export class Session {
	readonly client: Client;
	readonly receiver: Receiver | undefined;
	readonly name: string;
	/** The fields of an answer that the documentation does not have. */
	readonly unknownFields: (answer: Exchange) => string[];
	/** The number to call, if there is one. */
	readonly number: string;
	private readonly journal: CreationLog;
	private readonly options: ReadonlySet<Need>;
	private readonly shared = new Map<string, Promise<unknown>>();

	constructor(
		client: Client,
		journal: CreationLog,
		given: Pick<Session, 'receiver' | 'name' | 'unknownFields'> & {
			number: string | undefined;
			options: ReadonlySet<Need>;
		},
	) {
		this.client = client;
		this.journal = journal;
		this.receiver = given.receiver;
		this.name = given.name;
		this.unknownFields = given.unknownFields;
		this.number = given.number ?? '';
		this.options = given.options;
	}

	/** Whether the run has an option. */
	can(need: Need): boolean {
		return this.options.has(need);
	}

	/** Sends a request whatever the answer is. */
	async ask(method: string, path: string, body?: unknown, more: Sent = {}): Promise<Exchange> {
		const answer = await this.client.send(method, path, { ...more, ...(body === undefined ? {} : { body }) });
		if (method === 'DELETE' && isOk(answer)) {
			this.journal.removeObject(path.split('/').at(-1) ?? '');
		}
		return answer;
	}

	/** Sends a request that has to succeed. @throws NotTested */
	async must(method: string, path: string, body?: unknown, more?: Sent): Promise<Exchange> {
		const answer = await this.ask(method, path, body, more);
		if (!isOk(answer)) {
			throw new NotTested(`${method} ${patternless(path)} answered ${answer.status}`);
		}
		return answer;
	}

	/** Reads once, for all checks. @throws NotTested */
	async get(path: string, query?: Record<string, string>): Promise<Exchange> {
		const more = query ? { query } : {};
		return await this.once(
			`GET ${path} ${JSON.stringify(query)}`,
			async () => await this.must('GET', path, undefined, more),
		);
	}

	/** The objects of a list. */
	async rows(path: string, query?: Record<string, string>): Promise<Fields[]> {
		return rowsOf((await this.get(path, query)).body);
	}

	/** An object of a list with its ID. @throws NotTested if there is none @param what for the report, with its article */
	async find(
		path: string,
		what: string,
		fits: (row: Fields) => boolean = () => true,
	): Promise<Fields & { id: string }> {
		const row = (await this.rows(path)).find((one) => idOf(one) !== undefined && fits(one));
		if (!row) {
			throw new NotTested(`needs ${what}`);
		}
		return { ...row, id: idOf(row) ?? '' };
	}

	/** Does something once for all checks that ask for it. */
	once<Value>(key: string, make: () => Promise<Value>): Promise<Value> {
		const known = (this.shared.get(key) as Promise<Value> | undefined) ?? make();
		known.catch(() => undefined);
		this.shared.set(key, known);
		return known;
	}

	/**
	 * Sends a request that may create an object, and remembers to delete it. An object that has no name of this run is
	 * given none: the service has to refuse such a request.
	 */
	async create(kind: Kind, body: unknown): Promise<Exchange> {
		this.journal.addName(this.name);
		const answer = await this.ask('POST', PATHS[kind], body);
		const id = ownIdOf(dataIn(answer.body), WORDS[kind]);
		if (isOk(answer) && id !== undefined) {
			this.journal.addObject(kind, id);
		}
		return answer;
	}

	/** Calls that a run has placed and not ended yet, each with what ends it. */
	readonly calls = new Map<string, () => Promise<boolean>>();

	/**
	 * Promises to end the calls of an agent to one's own number, however the run ends. To be called before such a call is
	 * placed: its answer may be lost.
	 */
	endAfterwards(agentId: string): void {
		const path = `/agents/${encodeURIComponent(agentId)}`;
		const number = String(this.number);
		this.calls.set(agentId, async () => {
			const { status, body } = await this.client.send('GET', `${path}/active-call/${encodeURIComponent(number)}`);
			const found = [...rowsOf(body), dataIn(body)].flatMap(({ id, call_sid, sid }) => [id, call_sid, sid]);
			const ids = new Set(found.filter((id) => typeof id === 'string' || typeof id === 'number'));
			for (const id of ids) {
				await this.client.send('POST', `${path}/end-call`, { body: { call_sid: id } });
			}
			return status === 404 || status < 300;
		});
	}

	/** Creates an object of one's own. @throws NotTested if that fails */
	async made(kind: Kind, body: Fields): Promise<{ id: string; answer: Exchange }> {
		const answer = await this.create(kind, body);
		if (!isOk(answer)) {
			const fields = [...refusedFields(answer.body)].join(', ');
			throw new NotTested(`POST ${PATHS[kind]} answered ${answer.status}${fields && ` (${fields})`}`);
		}
		const [id] = await this.idsOfMade(kind, answer);
		if (id === undefined || !(await isOwn(this.client, kind, id))) {
			throw new NotTested(`POST ${PATHS[kind]} gave no ID`);
		}
		this.journal.addObject(kind, id);
		return { id, answer };
	}

	/** The ID of what was created: as the answer has it, or else as the list has it. */
	private async idsOfMade(kind: Kind, { body }: Exchange): Promise<string[]> {
		const id = ownIdOf(dataIn(body), WORDS[kind]);
		return id === undefined ? await namedLike(this.client, kind, (name) => name === this.name) : [id];
	}

	/** The fields that a service names when it refuses a body in which `name` is missing: it creates nothing. */
	async refused(kind: Kind, body: Fields): Promise<Set<string>> {
		const { name: _name, ...nameless } = body;
		const answer = await this.create(kind, nameless);
		const fields = refusedFields(answer.body);
		if (isOk(answer) || fields.size === 0) {
			throw new NotTested(`POST ${PATHS[kind]} without a name answered ${answer.status}, and named no field`);
		}
		return fields;
	}

	/**
	 * Finds out which values a service takes, without creating anything.
	 * @param wrong fields that it should refuse @param right fields that it should take
	 */
	async limits(
		kind: Kind,
		base: Fields,
		{ wrong = {}, right = {} }: { wrong?: Fields; right?: Fields },
	): Promise<Verdict> {
		const about = (fields: Set<string>, name: string) => [...fields].some((field) => field.split('.')[0] === name);
		const seen: string[] = [];
		if (Object.keys(wrong).length > 0) {
			const fields = await this.refused(kind, { ...base, ...wrong });
			const taken = Object.keys(wrong).filter((name) => !about(fields, name));
			if (taken.length > 0 && !fields.has('name')) {
				throw new NotTested('the service does not name all wrong fields at once');
			}
			seen.push(...taken.map((name) => `${name} ${JSON.stringify(wrong[name])?.slice(0, 60)} was not refused`));
		}
		if (Object.keys(right).length > 0) {
			const fields = await this.refused(kind, { ...base, ...right });
			const refused = Object.keys(right).filter((name) => about(fields, name));
			seen.push(...refused.map((name) => `${name} ${JSON.stringify(right[name])?.slice(0, 60)} was refused`));
		}
		return verdict(seen.length === 0, ...seen);
	}

	/** Looks until something is there. @returns undefined after the longest wait */
	async until<Value>(look: () => Promise<Value | undefined>): Promise<Value | undefined> {
		const deadline = Date.now() + this.client.pace.waitMs;
		for (;;) {
			const found = await look();
			if (found !== undefined || Date.now() > deadline) {
				return found;
			}
			await this.client.wait(this.client.pace.lookMs);
		}
	}

	/** @throws NotTested without a receiver */
	get deliveries(): Receiver {
		if (!this.receiver) {
			throw new NotTested(`needs ${NEEDS.receive}`);
		}
		return this.receiver;
	}
}

/** Around what has to be cleaned before it is shown. */
const [FROM, TO] = ['\u0001', '\u0002'];

/** The value of an object's field, for a text about what was seen. `unmarked` cleans it. */
export function shown(object: unknown, name: string): string {
	const value = isObject(object) ? object[name] : undefined;
	return value === undefined ? `${name}: missing` : `${name}: ${FROM}${JSON.stringify({ [name]: value })}${TO}`;
}

/** A text about what was seen, with its values cleaned. */
export function unmarked(text: string, clean: (value: unknown, name: string) => unknown): string {
	return text.replaceAll(new RegExp(`${FROM}(.*?)${TO}`, 'gs'), (_, json: string) => {
		const [[name, value] = ['', null]] = Object.entries(JSON.parse(json) as Fields);
		return JSON.stringify(clean(value, name));
	});
}
