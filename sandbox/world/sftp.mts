import type { Timer } from '../time/clock.mts';
import type { CampaignCall } from './call.mts';

/** How to log in to a campaign's SFTP server. The secrets are in no answer. */
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
	/** Another object once one of its fields has changed, so that a test knows if it still tells of this one. */
	connection: SftpConnection;
	/** Null: the folder that the login leads to. */
	import_path: string | null;
	export_path: string | null;
	import_schedule: 'manual' | 'hourly' | 'daily';
	is_enabled: boolean;
	/** The last test of the present connection (milliseconds since 1970). */
	lastTestAt: number | null;
	lastTestSuccess: boolean | null;
	/** The remote files that an import has taken, each as name, size and time of its last change. */
	imported: Set<string>;
	/** The names that exports have written, which no import takes for contacts. */
	exported: Set<string>;
	/** Oldest first. */
	logs: SftpLog[];
	/** The next import of the schedule. */
	timer: Timer | undefined;
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

/** A row of a contact file, and what became of it. */
export interface FileRow {
	to: string;
	payload: Record<string, string>;
	/** Its call, or why it has none. */
	result: CampaignCall | 'invalid_number' | 'duplicate';
}

/** A contact file that an import has brought. */
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
