import { openApiDocument } from '../openApi/document.mts';
import { Cleaner } from './clean.mts';
import { CreatedNames, isCreation, ownName } from './cleanUp.mts';
import { Client, FOREIGN, LOOPBACK, NotTested, type Pace, type Sent } from './client.mts';
import { readDocument } from './document.mts';
import { type GivenOptions, isLoopback } from './options.mts';
import { type Arrival, type Receiver, startReceiver } from './receiver.mts';
import { differencesOf, inOneLine, type Report, type Result, readPage } from './report.mts';
import { Found, type Judge, NEEDS, type Need, type Step } from './step.mts';
import { ending } from './steps/calls.mts';
import { groups } from './steps/index.mts';

/** The options of a run. */
export interface ContractOptions extends Omit<GivenOptions, 'out'> {
	token: string;
	version: string;
	/** The folder docs/ of the package. */
	docs: URL;
	/** The folder for the file with the names of created objects that are not yet deleted. */
	home: string;
	/** Shows a line to the user. */
	say(line: string): void;
	/** Replaces the usual pauses in tests. */
	pace?: Partial<Pace>;
}

/** A run in progress. */
export interface Run {
	/** The service cannot make it reject. @throws Error with a text for the user, before the first request */
	report: Promise<Report>;
	/** Ends the steps. The report follows after the created objects are deleted. */
	stop(): void;
	/** Removes secrets from a text. */
	clean(text: string): string;
}

/** The result of a step for a question. */
type Finding = Pick<Result, 'is' | 'note'>;

/** Tests the assumptions about a service. */
export function startContract(options: ContractOptions): Run {
	const { baseUrl, token, home, docs, receive, call, version, say } = options;
	const given = (Object.keys(NEEDS) as Need[]).filter((need) => options[need] !== undefined && options[need] !== false);
	const document = readDocument(openApiDocument());
	const cleaner = new Cleaner(token, ...(call === undefined ? [] : [call]));
	const client = new Client(baseUrl, token, { ...(isLoopback(baseUrl) ? LOOPBACK : FOREIGN), ...options.pace });
	/** The values that steps kept, by name, or the reason why a value is missing. */
	const kept = new Map<string, string | NotTested>();
	const findings = new Map<string, Finding[]>();
	let created: CreatedNames;
	let receiver: Receiver | undefined;
	let isCleaningUp = false;

	async function run(): Promise<Report> {
		created = new CreatedNames(home, `${baseUrl}\n${token}`);
		kept.set('name', ownName(Date.now())).set('number', call ?? '');
		if (receive !== undefined) {
			receiver = await startReceiver(receive, options.receivePort);
			kept.set('receiver', receiver.url);
		}
		let ended: string | undefined;
		try {
			await deleteOwn();
			const { status } = await client.send('GET', '/agents').catch(() => ({ status: 0 }));
			if (status === 401 || status === 403) {
				client.stop(`the service refuses the token (GET /agents returned ${status})`);
			}
			for (const { title, needs, steps } of groups) {
				say(title);
				for (const step of steps) {
					await take(step, needs);
				}
			}
			ended = client.stopped;
		} finally {
			client.resume();
			isCleaningUp = true;
			for (const step of ending) {
				await take(step, ['call']);
			}
			await deleteOwn();
			receiver?.close();
		}
		const rows = readPage(new URL('contributing/assumptions.md', docs));
		return {
			version,
			date: new Date().toISOString().slice(0, 10),
			ended: ended ?? null,
			options: given.map((need) => `--${need}`),
			requests: client.exchanges.length,
			results: rows.map((row) => ({ ...row, ...resultOf(row.question) })),
			differences: differencesOf(client.exchanges, document),
		};
	}

	/** Sends the request of a step, keeps the values that later steps need, and judges the response. */
	async function take(step: Step, needs: readonly Need[]): Promise<void> {
		const missing = needs.filter((need) => !given.includes(need)).map((need) => NEEDS[need]);
		const found = missing.length > 0 ? new NotTested(`needs ${missing.join(' ')}`) : await attempt(() => send(step));
		for (const [name, read] of Object.entries(step.keeps ?? {})) {
			const value = found instanceof Found ? await attempt(() => read(found)) : found;
			kept.set(name, value ?? new NotTested(`needs: ${name}`));
		}
		for (const [question, judge] of Object.entries(step.confirms ?? {})) {
			findings.set(question, [...(findings.get(question) ?? []), await judged(found, judge)]);
		}
	}

	async function send({ request, body: data, token: other, until = () => true, receives }: Step): Promise<Found> {
		const method = request.slice(0, request.indexOf(' '));
		const url = filled(request.slice(method.length + 1), encodeURIComponent) as string;
		const [path = '', query = ''] = url.split('?');
		const body = filled(data);
		const sent: Sent = { query, ...(body !== undefined && { body }), ...(other !== undefined && { token: other }) };
		if (isCreation(method, path)) {
			created.add(use('name'));
		}
		const look = async () => new Found(await client.send(method, path, sent), [], use);
		let found = await look();
		await client.until(async () => until(found) || until((found = await look())));
		return receives ? new Found(found.exchange, await arrived(receives), use) : found;
	}

	/** Replaces each `{name}` in a value by the value that a step kept. @throws NotTested */
	function filled(value: unknown, encode = (text: string) => text): unknown {
		if (typeof value === 'string') {
			return value.replaceAll(/(?<!\{)\{([\w ]+)\}(?!\})/g, (_, name: string) => encode(use(name)));
		}
		if (typeof value !== 'object' || value === null) {
			return value;
		}
		return Array.isArray(value)
			? value.map((item) => filled(item))
			: Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item)]));
	}

	function use(name: string): string {
		const value = kept.get(name) ?? new NotTested(`needs: ${name}`);
		if (value instanceof NotTested) {
			throw value;
		}
		return value;
	}

	/** Waits for deliveries. @throws NotTested if they do not come */
	async function arrived({ at, count }: NonNullable<Step['receives']>): Promise<Arrival[]> {
		const come = () => receiver?.of(at) ?? [];
		if (!(await client.until(() => come().length >= count))) {
			throw new NotTested(`${come().length} of ${count} deliveries came`);
		}
		return come();
	}

	async function judged(found: Found | NotTested, judge: Judge): Promise<Finding> {
		const note = found instanceof Found ? await attempt(() => otherwise(found, judge(found))) : found;
		if (note instanceof NotTested) {
			return { is: 'notTested', note: note.message };
		}
		return { is: note === '' ? 'confirmed' : 'otherwise', note };
	}

	/** Describes what was observed instead, without values of the service; an empty text if the assumption is true. */
	function otherwise({ exchange, deliveries: [delivery] }: Found, verdict: boolean | string): string {
		if (typeof verdict === 'string' || verdict) {
			return verdict === true ? '' : verdict;
		}
		const fields = () => `fields: ${JSON.stringify(cleaner.value(delivery?.json))}`;
		return delivery ? fields() : inOneLine(exchange, document, cleaner);
	}

	/** A single finding is enough to refute an assumption. */
	function resultOf(question: string): Finding {
		const found = findings.get(question) ?? [{ is: 'notTested', note: 'no step tests it' }];
		const { is, note } =
			found.find((one) => one.is === 'otherwise') ?? found.find((one) => one.is === 'confirmed') ?? found[0]!;
		return { is, note: cleaner.text(note) };
	}

	/** Deletes the objects that this run or an earlier run created. */
	async function deleteOwn(): Promise<void> {
		for (const what of await created.deleteObjects(client)) {
			say(`It could not delete ${what}. The next run tries again, or delete it yourself.`);
		}
	}

	return {
		// Starts asynchronously, so that the caller has the run before its first message.
		report: Promise.resolve().then(run),
		// Cleaning up is never interrupted.
		stop: () => isCleaningUp || client.stop('it was stopped'),
		clean: (text) => cleaner.text(text),
	};
}

/**
 * Turns an unforeseen error of a step into a result, because services differ in unforeseen ways.
 * @returns the result of the action, or the reason why it failed
 */
async function attempt<Value>(action: () => Value | Promise<Value>): Promise<Value | NotTested> {
	try {
		return await action();
	} catch (error) {
		const name = error instanceof Error ? error.name : 'unknown';
		return error instanceof NotTested ? error : new NotTested(`the response could not be read (${name})`);
	}
}
