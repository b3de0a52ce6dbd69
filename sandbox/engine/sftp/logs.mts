import type { SftpConfiguration, SftpLog } from '../../world/sftp.mts';
import { newId, type World } from '../../world/world.mts';

/** Sandbox seconds until a job begins, and that a file stays in each status. */
export const STEP_SECONDS = 1;

/** Notes an import or export that begins. */
export function beginLog(world: World, sftp: SftpConfiguration, type: SftpLog['type']): SftpLog {
	const log: SftpLog = {
		id: newId(),
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

/** Notes how an import or export has ended. */
export function endLog(
	world: World,
	log: SftpLog,
	status: Exclude<SftpLog['status'], 'running'>,
	error?: string,
): void {
	log.status = status;
	log.error = error ?? null;
	log.completed = world.clock.now();
}

/** Whether an import or export is under way. */
export function isRunning(sftp: SftpConfiguration, type: SftpLog['type']): boolean {
	return sftp.logs.some((log) => log.type === type && log.status === 'running');
}

/** What went wrong, in words. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
