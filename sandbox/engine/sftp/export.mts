import type { CampaignFile, SftpConfiguration, SftpLog } from '../../world/sftp.mts';
import type { World } from '../../world/world.mts';
import { beginLog, endLog, messageOf, STEP_SECONDS } from './logs.mts';
import { withRemote } from './remote.mts';
import { resultName, resultsOf } from './results.mts';

/** Starts to write a result file for each contact file into the export folder. @returns the log of the export */
export function startExport(world: World, sftp: SftpConfiguration, files: CampaignFile[]): SftpLog {
	const log = beginLog(world, sftp, 'export');
	world.clock.after(STEP_SECONDS, async () => {
		try {
			await withRemote(world, sftp, async (remote) => {
				for (const file of files) {
					const name = resultName(file);
					sftp.exported.add(name);
					await remote.write(sftp.export_path, name, resultsOf(file));
					log.filesProcessed += 1;
					log.rowsProcessed += file.rows.length;
				}
			});
			endLog(world, log, 'succeeded');
		} catch (error) {
			endLog(world, log, 'failed', messageOf(error));
		}
	});
	return log;
}
