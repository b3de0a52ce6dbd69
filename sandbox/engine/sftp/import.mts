import { parse } from 'csv-parse/sync';

import { TIMER } from '../../time/clock.mts';
import type { Campaign } from '../../world/campaign.mts';
import { newId } from '../../world/ids.mts';
import { E164 } from '../../world/phoneNumber.mts';
import type { CampaignFile, FileRow, SftpConfiguration, SftpFile, SftpLog } from '../../world/sftp.mts';
import { STOPPED, type World } from '../../world/world.mts';
import { enqueueCall } from '../calls/callQueue.mts';
import { withoutEnding } from './export.mts';
import { beginLog, endLog, isRunning, STEP_SECONDS } from './logs.mts';
import { filesToImport, folderError, loginError } from './sftpServer.mts';

const SECONDS_BETWEEN = { hourly: 3600, daily: 86_400 };

interface Taken {
	found: SftpFile;
	file: CampaignFile;
	contacts: Contact[];
}

/** A running import. */
interface Import {
	world: World;
	campaign: Campaign;
	sftp: SftpConfiguration;
	log: SftpLog;
	taken: Taken[];
	/** The errors of single files. They do not stop the other files. */
	problems: string[];
}

/**
 * Starts to import the new contact files of the import folder: they are uploaded, then processed, then their rows are
 * queued as calls. If the campaign is completed or cancelled in the meantime, the import is cancelled.
 * @returns the log of the import
 */
export function startImport(world: World, campaign: Campaign, sftp: SftpConfiguration): SftpLog {
	const log = beginLog(world, sftp, 'import');
	next({ world, campaign, sftp, log, taken: [], problems: [] }, upload);
	return log;
}

function next(job: Import, step: (job: Import) => void): void {
	job.world.clock.after(STEP_SECONDS, () => {
		if (isOver(job.world, job.campaign)) {
			return giveUp(job, 'cancelled', 'The campaign has ended and takes no calls.');
		}
		step(job);
	});
}

function upload(job: Import): void {
	const { world, campaign, sftp } = job;
	const error = loginError(sftp) ?? folderError(sftp.import_path);
	if (error) {
		return giveUp(job, 'failed', error);
	}
	job.taken = filesToImport(sftp, campaign.files.length).map((found) => ({
		found,
		file: addFile(world, campaign, found.name),
		contacts: [],
	}));
	next(job, readAll);
}

function readAll(job: Import): void {
	for (const one of job.taken) {
		try {
			one.contacts = readContacts(one.found.content);
			one.file.total_records = one.contacts.length;
			one.file.status = 'processing';
		} catch (error) {
			one.file.status = 'failed';
			job.problems.push(`${one.file.original_filename}: ${(error as Error).message}`);
		}
	}
	next(job, queueAll);
}

function queueAll({ world, campaign, sftp, log, taken, problems }: Import): void {
	// Only now are the files used up: if the sandbox stops earlier, the next import reads them again.
	sftp.waiting = sftp.waiting?.filter((file) => !taken.some(({ found }) => found === file)) ?? null;
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

function giveUp({ world, log, taken }: Import, status: 'failed' | 'cancelled', why: string): void {
	for (const { file } of taken) {
		file.status = 'failed';
	}
	endLog(world, log, status, why);
}

/** Reschedules the next import after the configuration was enabled, disabled or changed. */
export function planImports(world: World, campaign: Campaign, sftp: SftpConfiguration): void {
	sftp.nextImport = null;
	resumeImports(world, campaign, sftp);
}

/** Resumes the schedule of a campaign's SFTP after its world was loaded. Jobs that were in progress have failed. */
export function resumeSftp(world: World, campaign: Campaign): void {
	for (const file of campaign.files.filter(({ status }) => status !== 'processed')) {
		file.status = 'failed';
	}
	for (const log of campaign.sftp?.logs.filter(({ status }) => status === 'running') ?? []) {
		Object.assign(log, { status: 'failed', error: STOPPED, completed: world.clock.now() });
	}
	if (campaign.sftp) {
		resumeImports(world, campaign, campaign.sftp);
	}
}

function resumeImports(world: World, campaign: Campaign, sftp: SftpConfiguration): void {
	sftp[TIMER]?.cancel();
	if (!sftp.is_enabled || sftp.import_schedule === 'manual') {
		sftp.nextImport = null;
		return;
	}
	sftp.nextImport ??= world.clock.now() + SECONDS_BETWEEN[sftp.import_schedule] * 1000;
	sftp[TIMER] = world.clock.at(sftp.nextImport, () => {
		if (isOver(world, campaign)) {
			return;
		}
		if (!isRunning(sftp, 'import')) {
			startImport(world, campaign, sftp);
		}
		planImports(world, campaign, sftp);
	});
}

/** Whether a campaign has ended, so that it accepts no more calls. */
function isOver(world: World, campaign: Campaign): boolean {
	return !world.campaigns.has(campaign.id) || campaign.status === 'completed' || campaign.status === 'cancelled';
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

/** A row of a contact file: the number as written, and all other columns. */
interface Contact {
	to: string;
	payload: Record<string, string>;
}

const NUMBER_COLUMNS = ['to', 'phone_number', 'phone'];

/**
 * Parses a contact file: CSV, separated by commas, with the column names in the first row.
 * @throws if the file cannot be parsed or lacks a column with numbers
 */
function readContacts(content: string): Contact[] {
	let numbers: string | undefined;
	const rows: Array<Record<string, string>> = parse(content, {
		bom: true,
		columns: (header: string[]) => {
			const names = header.map((name) => name.trim());
			numbers = NUMBER_COLUMNS.map((wanted) => names.find((name) => name.toLowerCase() === wanted)).find(Boolean);
			return names;
		},
		relax_column_count: true,
		skip_empty_lines: true,
		trim: true,
	});
	const column = numbers;
	if (column === undefined) {
		throw new Error(`It has no column named ${NUMBER_COLUMNS.join(', ')}.`);
	}
	return rows.map(({ [column]: to = '', ...payload }) => ({ to, payload }));
}
