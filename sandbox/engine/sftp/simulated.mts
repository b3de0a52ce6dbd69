import type { SftpConfiguration } from '../../world/sftp.mts';
import type { Remote } from './session.mts';

const NAMES = ['Ada', 'Grace', 'Edsger'];

/**
 * A simulated server: every login succeeds, every folder exists, each import finds one new file with three made-up
 * contacts, and written files are discarded.
 * @throws for hosts that end in `.invalid`
 */
export function simulatedRemote(sftp: SftpConfiguration): Remote {
	if (/\.invalid\.?$/i.test(sftp.connection.host)) {
		throw new Error('The host was not found.');
	}
	const round = sftp.imported.size;
	const contacts = madeUp(round);
	return {
		isFolder: async () => true,
		list: async () => [{ name: `contacts-${round + 1}.csv`, size: contacts.length, modified: 0 }],
		read: async () => Buffer.from(contacts),
		write: async () => {},
	};
}

/** Numbers from the range that is reserved for fictional use. */
function madeUp(round: number): string {
	const rows = NAMES.map((name, index) => {
		const last = (round * NAMES.length + index) % 100;
		return `+120255501${String(last).padStart(2, '0')},${name}`;
	});
	return ['to,name', ...rows, ''].join('\n');
}
