import type { TIMER, Timer } from '../time/clock.mts';
import type { CampaignCall } from './call.mts';

/** A file on the simulated server. */
export interface SftpFile {
	name: string;
	content: string;
}

/** How to log in to a campaign's SFTP server. No response has the secrets. */
export interface SftpConnection {
	host: string;
	port: number;
	username: string;
	auth_type: 'password' | 'private_key';
	password: string | null;
	private_key: string | null;
	private_key_passphrase: string | null;
}

/** A campaign's SFTP configuration. */
export interface SftpConfiguration {
	id: string;
	connection: SftpConnection;
	/** Null for the folder that the login leads to. */
	import_path: string | null;
	export_path: string | null;
	import_schedule: 'manual' | 'hourly' | 'daily';
	is_enabled: boolean;
	/** The last test of the current connection (milliseconds since 1970). */
	lastTestAt: number | null;
	lastTestSuccess: boolean | null;
	/** The files in the import folder that no import has taken. Null until one is put there: each import makes one up. */
	waiting: SftpFile[] | null;
	/** The result files in the export folder. No import reads them. */
	written: SftpFile[];
	/** Oldest first. */
	logs: SftpLog[];
	/** When the schedule's next import is due (milliseconds since 1970); null without a schedule. */
	nextImport: number | null;
	[TIMER]?: Timer;
	created: number;
	updated: number;
}

/** One import or export. */
export interface SftpLog {
	id: string;
	type: 'import' | 'export';
	status: 'running' | 'succeeded' | 'failed' | 'cancelled';
	filesProcessed: number;
	rowsProcessed: number;
	error: string | null;
	started: number;
	completed: number | null;
}

/** A row of a contact file, and its result. */
export interface FileRow {
	to: string;
	payload: Record<string, string>;
	/** Its call, or why it has none. */
	result: CampaignCall | 'invalid_number' | 'duplicate';
}

/** An imported contact file. */
export interface CampaignFile {
	id: string;
	original_filename: string;
	/** Null until it is processed. */
	processed_filename: string | null;
	status: 'uploading' | 'processing' | 'processed' | 'failed';
	total_records: number;
	/** The rows that became calls. */
	processed_records: number;
	rows: FileRow[];
}
