import type { Campaign } from '../../world/campaign.mts';
import { newId } from '../../world/ids.mts';
import { E164 } from '../../world/phoneNumber.mts';
import type { CampaignFile, FileRow, SftpConfiguration, SftpLog } from '../../world/sftp.mts';
import type { World } from '../../world/world.mts';
import { enqueueCall } from '../calls/callQueue.mts';
import { type Contact, readContacts } from './contacts.mts';
import { beginLog, endLog, isRunning, messageOf, STEP_SECONDS } from './logs.mts';
import { withRemote } from './remote.mts';
import { withoutEnding } from './results.mts';
import type { Remote, RemoteFile } from './session.mts';

/** Largest contact file, in bytes. */
const SIZE_LIMIT = 10 * 1024 * 1024;

const SECONDS_BETWEEN = { hourly: 3600, daily: 86_400 };

interface Taken {
	file: CampaignFile;
	/** The key of the remote file in `SftpConfiguration.imported`. */
	key: string;
	content: Buffer;
	contacts: Contact[];
}

/** A running import. */
interface Import {
	world: World;
	campaign: Campaign;
	sftp: SftpConfiguration;
	log: SftpLog;
	taken: Taken[];
	/** The errors of single files, which do not stop the others. */
	problems: string[];
}

/**
 * Starts to import the new contact files of the import folder: they are uploaded, then processed, then their rows are
 * queued as calls. If the campaign is completed or cancelled meanwhile, the import is cancelled.
 * @returns the log of the import
 */
export function startImport(world: World, campaign: Campaign, sftp: SftpConfiguration): SftpLog {
	const log = beginLog(world, sftp, 'import');
	next({ world, campaign, sftp, log, taken: [], problems: [] }, upload);
	return log;
}

function next(job: Import, step: (job: Import) => void | Promise<void>): void {
	job.world.clock.after(STEP_SECONDS, async () => {
		if (isOver(job.world, job.campaign)) {
			return giveUp(job, 'cancelled', 'The campaign has ended and takes no calls.');
		}
		try {
			await step(job);
		} catch (error) {
			giveUp(job, 'failed', messageOf(error));
		}
	});
}

async function upload(job: Import): Promise<void> {
	const { world, campaign, sftp } = job;
	await withRemote(world, sftp, async (remote) => {
		for (const found of await newFiles(remote, sftp)) {
			const file = addFile(world, campaign, found.name);
			const one: Taken = { file, key: keyOf(found), content: Buffer.alloc(0), contacts: [] };
			job.taken.push(one);
			if (found.size > SIZE_LIMIT) {
				refuse(job, file, `It is larger than ${SIZE_LIMIT} bytes.`);
			} else {
				one.content = await remote.read(sftp.import_path, found.name);
			}
		}
	});
	next(job, readAll);
}

function readAll(job: Import): void {
	for (const one of job.taken) {
		if (one.file.status === 'failed') {
			continue;
		}
		try {
			one.contacts = readContacts(one.content);
			one.file.total_records = one.contacts.length;
			one.file.status = 'processing';
		} catch (error) {
			refuse(job, one.file, messageOf(error));
		}
	}
	next(job, queueAll);
}

function queueAll({ world, campaign, sftp, log, taken, problems }: Import): void {
	// Only now: if a session breaks off, or the sandbox is stopped, the next import takes all its files again.
	for (const { key } of taken) {
		sftp.imported.add(key);
	}
	for (const { file, contacts } of taken) {
		if (file.status === 'failed') {
			continue;
		}
		queueRows(world, campaign, file, contacts);
		log.filesProcessed += 1;
		log.rowsProcessed += file.processed_records;
	}
	endLog(world, log, problems.length > 0 ? 'failed' : 'succeeded', problems.join(' ') || undefined);
}

function refuse({ problems }: Import, file: CampaignFile, why: string): void {
	file.status = 'failed';
	problems.push(`${file.original_filename}: ${why}`);
}

function giveUp({ world, log, taken }: Import, status: 'failed' | 'cancelled', why: string): void {
	for (const { file } of taken) {
		file.status = 'failed';
	}
	endLog(world, log, status, why);
}

/** Schedules the next import again, after the configuration was enabled, disabled or changed. */
export function planImports(world: World, campaign: Campaign, sftp: SftpConfiguration): void {
	sftp.nextImport = null;
	resumeImports(world, campaign, sftp);
}

/** Schedules the next import, also after the world was loaded. */
export function resumeImports(world: World, campaign: Campaign, sftp: SftpConfiguration): void {
	sftp.timer?.cancel();
	if (!sftp.is_enabled || sftp.import_schedule === 'manual') {
		sftp.nextImport = null;
		return;
	}
	sftp.nextImport ??= world.clock.now() + SECONDS_BETWEEN[sftp.import_schedule] * 1000;
	sftp.timer = world.clock.at(sftp.nextImport, () => {
		if (isOver(world, campaign)) {
			return;
		}
		if (!isRunning(sftp, 'import')) {
			startImport(world, campaign, sftp);
		}
		planImports(world, campaign, sftp);
	});
}

/** Whether a campaign takes no more calls for good. */
function isOver(world: World, campaign: Campaign): boolean {
	return !world.campaigns.has(campaign.id) || campaign.status === 'completed' || campaign.status === 'cancelled';
}

/** Sorted by name, so that imports are deterministic. */
async function newFiles(remote: Remote, sftp: SftpConfiguration): Promise<RemoteFile[]> {
	return (await remote.list(sftp.import_path))
		.filter((found) => /\.csv$/i.test(found.name) && !sftp.imported.has(keyOf(found)) && !sftp.exported.has(found.name))
		.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** A file that was written again is a new one. */
function keyOf({ name, size, modified }: RemoteFile): string {
	return JSON.stringify([name, size, modified]);
}

function addFile(world: World, campaign: Campaign, name: string): CampaignFile {
	const file: CampaignFile = {
		id: newId(world),
		original_filename: name,
		processed_filename: null,
		status: 'uploading',
		total_records: 0,
		processed_records: 0,
		rows: [],
	};
	campaign.files.push(file);
	return file;
}

function queueRows(world: World, campaign: Campaign, file: CampaignFile, contacts: Contact[]): void {
	file.rows = contacts.map(({ to, payload }) => ({ to, payload, result: queueRow(world, campaign, to, payload) }));
	file.processed_records = file.rows.filter(({ result }) => typeof result !== 'string').length;
	file.processed_filename = `${withoutEnding(file.original_filename)}-processed.csv`;
	file.status = 'processed';
}

function queueRow(world: World, campaign: Campaign, to: string, payload: Record<string, string>): FileRow['result'] {
	if (!E164.test(to)) {
		return 'invalid_number';
	}
	if (campaign.open.has(to)) {
		return 'duplicate';
	}
	return enqueueCall(world, campaign, { to, payload, context: {}, is_testing: false });
}
