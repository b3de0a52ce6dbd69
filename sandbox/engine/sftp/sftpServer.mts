import type { SftpConfiguration, SftpFile } from '../../world/sftp.mts';

const MISSING = /\.invalid\.?$/i;
const NAMES = ['Ada', 'Grace', 'Edsger'];

/** Returns the error of a login. Every host accepts it unless its name ends in `.invalid`. */
export function loginError({ connection }: SftpConfiguration): string | undefined {
	return MISSING.test(connection.host) ? 'The host was not found.' : undefined;
}

/** Returns the error of opening a folder. Every folder can be opened unless its name ends in `.invalid`. */
export function folderError(folder: string | null): string | undefined {
	return folder !== null && MISSING.test(folder) ? `There is no folder ${folder}.` : undefined;
}

/** Returns the files that an import finds. @param round makes a made-up file different in each round */
export function filesToImport({ waiting }: SftpConfiguration, round: number): SftpFile[] {
	return waiting ?? [madeUp(round)];
}

/** Adds a file to a folder. It replaces a file with the same name. */
export function withFile(folder: SftpFile[], file: SftpFile): SftpFile[] {
	return [...folder.filter(({ name }) => name !== file.name), file];
}

/** Makes up a file with three contacts. Their numbers are from the range that is reserved for fictional use. */
function madeUp(round: number): SftpFile {
	const rows = NAMES.map((name, index) => {
		const last = (round * NAMES.length + index) % 100;
		return `+120255501${String(last).padStart(2, '0')},${name}`;
	});
	return { name: `contacts-${round + 1}.csv`, content: ['to,name', ...rows, ''].join('\n') };
}
