import { checks } from './checks/index.mts';
import { neededFor, SANDBOX_ONLY } from './checks/unchecked.mts';
import { Cleaner } from './clean.mts';
import { Client, type Exchange, FOREIGN, LOOPBACK, NotTested, type Pace } from './client.mts';
import { CreationLog } from './createdObjects.mts';
import { type DocumentCheck, sharedDocument } from './document.mts';
import { deleteOwn, isEmpty, ownName } from './ownObjects.mts';
import { type Row, readPage } from './page.mts';
import { type Receiver, startReceiver } from './receiver.mts';
import { asRecording, differencesOf, inOneLine, type Report, type Result } from './report.mts';
import { type Check, NEEDS, type Need, Session, unmarked } from './session.mts';

/** What a run is asked to do. */
export interface ContractOptions {
	/** Without a slash at its end, and without /api/v1. */
	baseUrl: string;
	token: string;
	write: boolean;
	publish: boolean;
	activate: boolean;
	/** The number of the test call. */
	call: string | undefined;
	/** The public address for deliveries. */
	receive: string | undefined;
	/** Where the tunnel leads to on this machine. */
	receivePort: number;
	version: string;
	/** Where the files of the package's folder docs/ are. */
	docs: URL;
	/** The folder for the file with what a run has created and not deleted yet. */
	home: string;
	/** Shows a line to the user. */
	say(line: string): void;
	/** Differs from the usual pauses in tests. */
	pace?: Partial<Pace>;
	/** The checks to run; all by default. For tests. */
	only?: (check: Check) => boolean;
}

/** A run under way. */
export interface Run {
	/** Never rejects for what a service does. @throws Error with a text for the user, before the first request */
	report: Promise<Report>;
	/** The exchanges so far, cleaned. */
	recording(): unknown[];
	/** Ends the checks; the report comes after what the run created is deleted. */
	stop(): void;
	/** Takes secrets out of a text. */
	clean(text: string): string;
}

/** Tests what is assumed of a service. */
export function startContract(options: ContractOptions): Run {
	const document = sharedDocument();
	const cleaner = new Cleaner(document.vocabulary);
	cleaner.hide(options.token);
	if (options.call !== undefined) {
		cleaner.hide(options.call);
	}
	const usual = isLoopback(options.baseUrl) ? LOOPBACK : FOREIGN;
	const client = new Client(options.baseUrl, options.token, { ...usual, ...options.pace });
	const show = (seen: string | Exchange) =>
		typeof seen === 'string'
			? unmarked(seen, (value, name) => cleaner.value(value, name))
			: inOneLine(seen, document, cleaner);
	const report = async (): Promise<Report> => {
		// Whoever started it has it first.
		await Promise.resolve();
		const { results, ended } = await run(options, client, document, show);
		return {
			version: options.version,
			date: new Date().toISOString().slice(0, 10),
			ended,
			options: needsGiven(options).map((need) => `--${need}`),
			requests: client.answers.length,
			results: results.map((result) => ({ ...result, note: cleaner.text(result.note) })),
			differences: differencesOf(client.answers, document),
		};
	};
	return {
		report: report(),
		recording: () => asRecording(client.answers, document, cleaner),
		// What was created is deleted to the end.
		stop: () => client.isTidying || client.stop('it was stopped'),
		clean: (text) => cleaner.text(text),
	};
}

/** Whether a service runs on this machine. */
export function isLoopback(url: string): boolean {
	return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

const needsGiven = (options: ContractOptions): Need[] =>
	(Object.keys(NEEDS) as Need[]).filter((need) => options[need] !== false && options[need] !== undefined);

async function run(
	options: ContractOptions,
	client: Client,
	document: DocumentCheck,
	show: (seen: string | Exchange) => string,
): Promise<{ results: Result[]; ended: string | null }> {
	const { docs, write, say } = options;
	const rows = readPage(new URL('contributing/assumptions.md', docs)).filter(
		({ question }) => !SANDBOX_ONLY.includes(question),
	);
	const journal = new CreationLog(options.home, `${options.baseUrl}\n${options.token}`);
	const left = journal.readLeft();
	const receiver =
		options.receive === undefined ? undefined : await startReceiver(options.receive, options.receivePort);
	const place = new Map(rows.map((row, index) => [keyOf(row), index]));
	const results: Result[] = [];
	let ended: string | null = null;
	let session: Session | undefined;
	try {
		if (!isEmpty(left)) {
			say(`An earlier run left ${left.objects.length} objects. Deleting them.`);
		}
		await tidyUp(client, journal, write, say);
		const own = ownName(Date.now());
		const unknownFields = ({ method, path, status, body }: Exchange) => {
			const pattern = document.patternOf(`/api/v1${path}`);
			return pattern === undefined ? [] : document.unknownFields(method, pattern, status, body);
		};
		session = new Session(client, journal, {
			receiver,
			name: own,
			number: options.call,
			unknownFields,
			options: new Set(needsGiven(options)),
		});
		const refused = await firstContact(session);
		if (refused !== undefined) {
			client.stop(refused);
		}
		const isLast = (row: Row) => byQuestion.get(keyOf(row))?.last === true;
		let section = '';
		for (const row of [...rows.filter((one) => !isLast(one)), ...rows.filter(isLast)]) {
			if (row.section !== section && !isLast(row)) {
				say(row.section);
				section = row.section;
			}
			results.push({ ...row, ...(await resultOf(row, session, options, show)) });
		}
		results.sort((one, other) => place.get(keyOf(one))! - place.get(keyOf(other))!);
		ended = client.stopped ?? null;
	} finally {
		client.resume();
		client.isTidying = true;
		for (const end of session?.calls.values() ?? []) {
			if (!(await end().catch(() => false))) {
				say('A call may still wait for its delay: it rings within five minutes, unless you end it in the dashboard.');
			}
		}
		if (!isEmpty(journal)) {
			say('Deleting what this run has created.');
			await tidyUp(client, journal, false, say);
		}
		(receiver as Receiver | undefined)?.close();
	}
	return { results, ended };
}

async function tidyUp(
	client: Client,
	journal: CreationLog,
	abandoned: boolean,
	say: (line: string) => void,
): Promise<void> {
	if (abandoned || !isEmpty(journal)) {
		for (const what of await deleteOwn(client, journal, abandoned)) {
			say(`It could not delete ${what}. The next run tries again, or delete it yourself.`);
		}
	}
}

/** @returns why there is nothing to test */
async function firstContact(session: Session): Promise<string | undefined> {
	try {
		const { status } = await session.ask('GET', '/agents');
		return [401, 403].includes(status) ? `the service refuses the token (GET /agents answered ${status})` : undefined;
	} catch (error) {
		return error instanceof NotTested ? error.message : 'the first answer could not be read';
	}
}

const keyOf = ({ section, question }: Pick<Row, 'section' | 'question'>) => `${section}|${question}`;
const byQuestion = new Map(checks.map((check) => [keyOf(check), check]));

async function resultOf(
	row: Row,
	session: Session,
	options: ContractOptions,
	show: (seen: string | Exchange) => string,
): Promise<Pick<Result, 'is' | 'note'>> {
	const check = byQuestion.get(keyOf(row));
	if (!check || options.only?.(check) === false) {
		return { is: 'notTested', note: neededFor(row.section) };
	}
	const missing = missingFor(check, options);
	if (missing.length > 0) {
		return { is: 'notTested', note: `needs ${missing.join(' ')}` };
	}
	try {
		const found = await check.check(session);
		if (found.is === 'otherwise') {
			return {
				is: 'otherwise',
				note: found.seen
					.map(show)
					.filter((text) => text !== '')
					.join('; '),
			};
		}
		return { is: found.is, note: found.is === 'notTested' ? found.needs : '' };
	} catch (error) {
		// A check that meets something unforeseen says so: its author could not know every service.
		const unread = error instanceof Error ? error.name : 'unknown';
		return {
			is: 'notTested',
			note: error instanceof NotTested ? error.message : `the answer could not be read (${unread})`,
		};
	}
}

function missingFor({ needs }: Check, options: ContractOptions): string[] {
	const implied = needs.some((need) => need === 'receive' || need === 'activate' || need === 'publish')
		? ['write' as const]
		: [];
	return [...new Set<Need>([...implied, ...needs])]
		.filter((need) => !needsGiven(options).includes(need))
		.map((need) => NEEDS[need]);
}
