import type { CampaignFile, SftpConfiguration, SftpLog } from '../../world/sftp.mts';
import type { World } from '../../world/world.mts';
import { beginLog, endLog, STEP_SECONDS } from './logs.mts';
import { resultName, resultsOf } from './results.mts';
import { folderError, loginError, withFile } from './sftpServer.mts';

/** Starts to write a result file for each contact file into the export folder. @returns the log of the export */
export function startExport(world: World, sftp: SftpConfiguration, files: CampaignFile[]): SftpLog {
	const log = beginLog(world, sftp, 'export');
	world.clock.after(STEP_SECONDS, () => {
		const error = loginError(sftp) ?? folderError(sftp.export_path);
		if (error) {
			return endLog(world, log, 'failed', error);
		}
		for (const file of files) {
			sftp.written = withFile(sftp.written, { name: resultName(file), content: resultsOf(file) });
			log.filesProcessed += 1;
			log.rowsProcessed += file.rows.length;
		}
		endLog(world, log, 'succeeded');
	});
	return log;
}
