import type { SftpConfiguration, SftpFile } from '../../world/sftp.mts';

const MISSING = /\.invalid\.?$/i;
const NAMES = ['Ada', 'Grace', 'Edsger'];

/** Why the simulated server takes no login; undefined if it does, as every host that does not end in `.invalid`. */
export function loginError({ connection }: SftpConfiguration): string | undefined {
	return MISSING.test(connection.host) ? 'The host was not found.' : undefined;
}

/** Why a folder cannot be opened; undefined if it can, as every one that does not end in `.invalid`. */
export function folderError(folder: string | null): string | undefined {
	return folder !== null && MISSING.test(folder) ? `There is no folder ${folder}.` : undefined;
}

/** The files that an import finds. @param round a made-up file is another one in each round */
export function filesToImport({ waiting }: SftpConfiguration, round: number): SftpFile[] {
	return waiting ?? [madeUp(round)];
}

/** Adds a file to a folder, in place of one with the same name. */
export function withFile(folder: SftpFile[], file: SftpFile): SftpFile[] {
	return [...folder.filter(({ name }) => name !== file.name), file];
}

/** Three contacts, with numbers from the range that is reserved for fictional use. */
function madeUp(round: number): SftpFile {
	const rows = NAMES.map((name, index) => {
		const last = (round * NAMES.length + index) % 100;
		return `+120255501${String(last).padStart(2, '0')},${name}`;
	});
	return { name: `contacts-${round + 1}.csv`, content: ['to,name', ...rows, ''].join('\n') };
}
