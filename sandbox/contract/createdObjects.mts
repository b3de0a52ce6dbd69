import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The kinds of objects that a run creates, in the order in which they can be deleted: a campaign needs its agent. */
export const KINDS = ['campaign', 'agent', 'sipTrunk', 'calendar'] as const;
export type Kind = (typeof KINDS)[number];
export const PATHS: Record<Kind, string> = {
	campaign: '/campaigns',
	agent: '/agents',
	sipTrunk: '/sip-trunks',
	calendar: '/calendars',
};

/** The names of the kinds, as in `campaign_id`. */
export const WORDS: Record<Kind, string> = {
	campaign: 'campaign',
	agent: 'agent',
	sipTrunk: 'sip_trunk',
	calendar: 'calendar',
};

/** What a run creates has a name that begins like this. */
export const NAME_PREFIX = 'Contract check, may be deleted';

/** What a run has created and not deleted yet. */
export interface Created {
	/** The names of the objects. */
	names: string[];
	objects: Array<{ kind: Kind; id: string }>;
}

/**
 * Keeps what a run creates in a file until it is deleted, so that the next start can delete what a killed run left. It
 * has IDs and the names of this program's own making, no secrets.
 */
export class CreationLog {
	private readonly file: string;
	private created: Created = { names: [], objects: [] };

	/**
	 * @param home the folder of the file
	 * @param service identifies the service and the account; the file shows neither
	 */
	constructor(home: string, service: string) {
		const mark = createHash('sha256').update(service).digest('hex').slice(0, 12);
		this.file = join(home, `.voice-agent-calling-contract-${mark}.json`);
	}

	/** What an earlier run left. @throws Error if it still runs */
	readLeft(): Created {
		const none: Created = { names: [], objects: [] };
		if (!existsSync(this.file)) {
			return none;
		}
		const { pid, names, objects } = readCreated(this.file) ?? { ...none, pid: 0 };
		if (pid !== process.pid && isRunning(pid)) {
			throw new Error(`Another run is under way (process ${pid}). If it is not, delete ${this.file}.`);
		}
		this.created = { names, objects };
		return { names: [...names], objects: [...objects] };
	}

	/** Before the first object with a name is created: a run may be killed before it knows the ID. */
	addName(name: string): void {
		this.change({ ...this.created, names: [...new Set([...this.created.names, name])] });
	}

	addObject(kind: Kind, id: string): void {
		this.change({ ...this.created, objects: [...this.created.objects, { kind, id }] });
	}

	get objects(): Created['objects'] {
		return [...this.created.objects];
	}

	get names(): string[] {
		return [...this.created.names];
	}

	removeObject(id: string): void {
		this.change({ ...this.created, objects: this.created.objects.filter((object) => object.id !== id) });
	}

	/** All is deleted. */
	clear(): void {
		this.created = { names: [], objects: [] };
		rmSync(this.file, { force: true });
	}

	private change(created: Created): void {
		this.created = created;
		writeFileSync(`${this.file}.new`, JSON.stringify({ pid: process.pid, ...created }), { mode: 0o600 });
		renameSync(`${this.file}.new`, this.file);
	}
}

function readCreated(file: string): (Created & { pid: number }) | undefined {
	try {
		const { pid, names, objects } = JSON.parse(readFileSync(file, 'utf8')) as Created & { pid: number };
		return { pid, names, objects: objects.filter(({ kind }) => KINDS.includes(kind)) };
	} catch {
		return undefined;
	}
}

function isRunning(pid: number): boolean {
	try {
		return pid > 0 && process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
