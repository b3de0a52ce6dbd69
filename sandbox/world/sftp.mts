import type { TIMER, Timer } from '../time/clock.mts';
import type { CampaignCall } from './call.mts';

/** A file on the simulated server. */
export interface SftpFile {
	name: string;
	content: string;
}

/** The login to a campaign's SFTP server. Responses never contain the secrets. */
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
	/** Null for the login's own folder. */
	import_path: string | null;
	export_path: string | null;
	import_schedule: 'manual' | 'hourly' | 'daily';
	is_enabled: boolean;
	/** When the current connection was last tested (milliseconds since 1970). */
	lastTestAt: number | null;
	lastTestSuccess: boolean | null;
	/** The files in the import folder that are not yet imported. Null until a file is added: imports then make one up. */
	waiting: SftpFile[] | null;
	/** The result files in the export folder. Imports do not read them. */
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
	/** Its call, or the reason why no call was queued. */
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
	/** The number of rows that became calls. */
	processed_records: number;
	rows: FileRow[];
}
