export interface RemoteFile {
	name: string;
	/** In bytes. */
	size: number;
	/** When it was last changed (milliseconds since 1970). */
	modified: number;
}

/** An SFTP server during a session. A null folder is the one that the login leads to. */
export interface Remote {
	isFolder(folder: string | null): Promise<boolean>;
	/** The files in a folder, without its folders. */
	list(folder: string | null): Promise<RemoteFile[]>;
	read(folder: string | null, name: string): Promise<Buffer>;
	/** Writes a file; replaces an existing one. */
	write(folder: string | null, name: string, text: string): Promise<void>;
}
