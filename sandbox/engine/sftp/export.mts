import { iso } from '../../time/time.mts';
import type { CampaignFile, FileRow, SftpConfiguration, SftpLog } from '../../world/sftp.mts';
import type { World } from '../../world/world.mts';
import { beginLog, endLog, STEP_SECONDS } from './logs.mts';
import { folderError, loginError, withFile } from './sftpServer.mts';

/** Starts an export, which writes a result file for each contact file into the export folder. @returns its log */
export function startExport(world: World, sftp: SftpConfiguration, files: CampaignFile[]): SftpLog {
	const log = beginLog(world, sftp, 'export');
	world.clock.after(STEP_SECONDS, () => {
		const error = loginError(sftp) ?? folderError(sftp.export_path);
		if (error) {
			return endLog(world, log, 'failed', error);
		}
		for (const file of files) {
			sftp.written = withFile(sftp.written, { name: resultName(file), content: resultsOf(file) });
			log.filesProcessed += 1;
			log.rowsProcessed += file.rows.length;
		}
		endLog(world, log, 'succeeded');
	});
	return log;
}

const COLUMNS = ['to', 'status', 'retries', 'duration', 'scheduled_at', 'created_at', 'call_id'];

/** Returns the result file of a contact file as CSV: a row per contact, in order, with its own columns at the end. */
function resultsOf(file: CampaignFile): string {
	const own = [...new Set(file.rows.flatMap(({ payload }) => Object.keys(payload)))];
	const rows = file.rows.map((row) => [...resultOf(row), ...own.map((name) => row.payload[name])]);
	return [[...COLUMNS, ...own], ...rows].map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** Returns the result file's name. The id makes it unique among contact files of the same name. */
function resultName({ id, original_filename }: CampaignFile): string {
	return `${withoutEnding(original_filename)}-results-${id.slice(0, 8)}.csv`;
}

/** Removes `.csv` from a file's name. */
export function withoutEnding(name: string): string {
	return name.replace(/\.csv$/i, '');
}

function resultOf({ to, result }: FileRow): Array<string | number | null> {
	if (typeof result === 'string') {
		return [to, result, null, null, null, null, null];
	}
	const { status, retries, duration, scheduledAt, created, id } = result;
	return [to, status, retries, duration, scheduledAt === null ? null : iso(scheduledAt), iso(created), id];
}

function cell(value: string | number | null | undefined): string {
	const text = String(value ?? '');
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
