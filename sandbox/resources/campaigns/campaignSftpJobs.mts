import { z } from 'zod';

import { startExport } from '../../engine/sftp/export.mts';
import { startImport } from '../../engine/sftp/import.mts';
import { isRunning } from '../../engine/sftp/logs.mts';
import { codedError, flatErrorBody } from '../../http/errorSchemas.mts';
import { flatError, invalidFields } from '../../http/httpErrors.mts';
import { ASSUMED } from '../../http/named.mts';
import { logPagination, pageOf } from '../../http/paging.mts';
import { done, ok } from '../../http/response.mts';
import { count, dataOf, identifier, logPosition, messageAndData, timestamp } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { pagesOf } from '../../http/schemas.mts';
import { iso } from '../../time/time.mts';
import type { Campaign } from '../../world/campaign.mts';
import type { CampaignFile, SftpConfiguration, SftpLog } from '../../world/sftp.mts';
import { sftpLogSchema } from './campaignSchemas.mts';
import { findSftp } from './campaignSftp.mts';
import { exportBody } from './sftpFields.mts';

const PATH = '/api/v1/campaigns/:campaign_id/sftp';
const refusal = 'unauthorized';

/** The imports and exports of a campaign's SFTP configuration: start them, list them. */
export const campaignSftpJobRoutes: Route[] = [
	route({
		method: 'POST',
		path: `${PATH}/trigger-import`,
		summary: 'Import contact files from SFTP now',
		description:
			'Runs in the background: the list of imports and exports shows how it ends. Each new contact becomes a queued call.',
		refusal,
		responses: { 200: messageAndData(z.object({ job_id: identifier, queued_at: timestamp })) },
		errors: {
			409: { when: 'An import is in progress', body: codedError('SFTP_IMPORT_IN_PROGRESS') },
			422: { when: `The configuration is disabled. ${ASSUMED}`, body: flatErrorBody },
		},
		handle({ world, params }) {
			const { campaign, sftp } = findSftp(world, params.campaign_id);
			checkFree(sftp, 'import');
			const { id, started } = startImport(world, campaign, sftp);
			return done('Import queued.', { job_id: id, queued_at: iso(started) });
		},
	}),
	route({
		method: 'POST',
		path: `${PATH}/trigger-export`,
		summary: 'Export the results of contact files to SFTP now',
		description: 'Runs in the background: the list of imports and exports shows how it ends.',
		refusal,
		body: exportBody,
		responses: { 200: messageAndData(z.object({ job_id: identifier, files_count: count })) },
		errors: {
			409: { when: 'An export is in progress', body: codedError('SFTP_EXPORT_IN_PROGRESS') },
			422: { when: `The configuration is disabled. ${ASSUMED}`, body: flatErrorBody },
		},
		handle({ world, params, body }) {
			const { campaign, sftp } = findSftp(world, params.campaign_id);
			const files = filesOf(campaign, body().file_data_ids);
			checkFree(sftp, 'export');
			return done('Export queued.', { job_id: startExport(world, sftp, files).id, files_count: files.length });
		},
	}),
	route({
		method: 'GET',
		path: `${PATH}/logs`,
		summary: "List a campaign's SFTP imports and exports",
		description: 'A page of them, the newest first.',
		refusal,
		query: z.object(pagesOf(25)),
		responses: { 200: dataOf(z.array(sftpLogSchema), { pagination: logPosition }) },
		handle({ world, params, query }) {
			const { sftp } = findSftp(world, params.campaign_id);
			const page = pageOf(sftp.logs.toReversed(), query());
			return ok(page.items.map(logObject), { pagination: logPagination(page) });
		},
	}),
];

/** @throws 422 if the configuration is disabled, 409 if a job of this type is running */
function checkFree(sftp: SftpConfiguration, type: SftpLog['type']): void {
	if (!sftp.is_enabled) {
		throw flatError(422, 'The SFTP configuration is disabled.');
	}
	if (isRunning(sftp, type)) {
		throw flatError(409, `An SFTP ${type} is already in progress.`, { code: `SFTP_${type.toUpperCase()}_IN_PROGRESS` });
	}
}

/** @throws 422 with each id that is not a processed file of the campaign */
function filesOf(campaign: Campaign, ids: string[]): CampaignFile[] {
	const processed = new Map(
		campaign.files.filter(({ status }) => status === 'processed').map((file) => [file.id, file]),
	);
	const unknown = ids.map((id, index) => [id, `file_data_ids.${index}`] as const).filter(([id]) => !processed.has(id));
	if (unknown.length > 0) {
		throw invalidFields(Object.fromEntries(unknown.map(([, field]) => [field, [`The selected ${field} is invalid.`]])));
	}
	return [...new Set(ids)].map((id) => processed.get(id)!);
}

function logObject(log: SftpLog): Record<string, unknown> {
	return {
		id: log.id,
		type: log.type,
		status: log.status,
		files_processed: log.filesProcessed,
		rows_processed: log.rowsProcessed,
		...(log.error === null ? {} : { error: log.error }),
		started_at: iso(log.started),
		...(log.completed === null ? {} : { completed_at: iso(log.completed) }),
	};
}
