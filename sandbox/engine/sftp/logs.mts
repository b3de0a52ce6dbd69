import { newId } from '../../world/ids.mts';
import type { SftpConfiguration, SftpLog } from '../../world/sftp.mts';
import type { World } from '../../world/world.mts';

/** Sandbox seconds before an import or export starts, and for which a file keeps each status. */
export const STEP_SECONDS = 1;

/** Adds the log of a new import or export. */
export function beginLog(world: World, sftp: SftpConfiguration, type: SftpLog['type']): SftpLog {
	const log: SftpLog = {
		id: newId(world),
		type,
		status: 'running',
		filesProcessed: 0,
		rowsProcessed: 0,
		error: null,
		started: world.clock.now(),
		completed: null,
	};
	sftp.logs.push(log);
	return log;
}

/** Completes the log of an import or export. */
export function endLog(
	world: World,
	log: SftpLog,
	status: Exclude<SftpLog['status'], 'running'>,
	error?: string,
): void {
	log.status = status;
	log.error = error ?? null;
	log.completed = world.clock.now();
	world.changes.publish({ type: 'sftp', id: log.id, status });
}

/** Whether an import or export is running. */
export function isRunning(sftp: SftpConfiguration, type: SftpLog['type']): boolean {
	return sftp.logs.some((log) => log.type === type && log.status === 'running');
}
