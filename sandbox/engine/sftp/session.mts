export interface RemoteFile {
	name: string;
	/** In bytes. */
	size: number;
	/** When it was last changed (milliseconds since 1970). */
	modified: number;
}

/** A server while the sandbox is logged in. A folder that is null is the one that the login leads to. */
export interface Remote {
	isFolder(folder: string | null): Promise<boolean>;
	/** The files in a folder, without its folders. */
	list(folder: string | null): Promise<RemoteFile[]>;
	read(folder: string | null, name: string): Promise<Buffer>;
	/** Writes a file, over one that is there. */
	write(folder: string | null, name: string, text: string): Promise<void>;
}
