import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

import { planImports } from '../../engine/sftp/import.mts';
import { folderError, loginError } from '../../engine/sftp/sftpServer.mts';
import { codedError, flatErrorBody } from '../../http/errorSchemas.mts';
import { flatError, notFound } from '../../http/httpErrors.mts';
import { ASSUMED } from '../../http/named.mts';
import { created, done, ok } from '../../http/response.mts';
import { dataOf, failedResult, messageAndData, messageText, timestamp } from '../../http/responseSchemas.mts';
import { type Route, route } from '../../http/route.mts';
import { iso } from '../../time/time.mts';
import type { Campaign } from '../../world/campaign.mts';
import { newId } from '../../world/ids.mts';
import type { SftpConfiguration } from '../../world/sftp.mts';
import type { World } from '../../world/world.mts';
import { createdSftpSchema, sftpSchema, sftpTestSchema, updatedSftpSchema } from './campaignSchemas.mts';
import { findCampaign } from './campaigns.mts';
import { checkSecret, sftpConnectionBody, sftpCreateBody, sftpSettingsBody, sftpUpdateBody } from './sftpFields.mts';

const PATH = '/api/v1/campaigns/:campaign_id/sftp';
const refusal = 'unauthorized';

/** A campaign's SFTP configuration: get, create, update, test. Another file handles imports and exports. */
export const campaignSftpRoutes: Route[] = [
	route({
		method: 'GET',
		path: PATH,
		summary: "Get a campaign's SFTP configuration",
		description: 'Without its password and keys.',
		refusal,
		responses: { 200: dataOf(sftpSchema) },
		handle: ({ world, params }) => ok(shown(findSftp(world, params.campaign_id))),
	}),
	route({
		method: 'POST',
		path: PATH,
		summary: "Create a campaign's SFTP configuration",
		description: 'The configuration is disabled: test the connection, then enable it with an update.',
		refusal,
		body: sftpCreateBody,
		responses: { 201: dataOf(createdSftpSchema) },
		errors: { 409: { when: `The campaign already has a configuration. ${ASSUMED}`, body: flatErrorBody } },
		handle({ world, params, body }) {
			const campaign = findCampaign(world, params.campaign_id);
			const sent = body();
			const connection = sftpConnectionBody.parse(sent);
			checkSecret(connection);
			if (campaign.sftp) {
				throw flatError(409, 'The campaign already has an SFTP configuration. Update it instead.');
			}
			const now = world.clock.now();
			campaign.sftp = {
				id: newId(world),
				connection,
				...sftpSettingsBody.parse(sent),
				is_enabled: false,
				lastTestAt: null,
				lastTestSuccess: null,
				waiting: null,
				written: [],
				logs: [],
				nextImport: null,
				created: now,
				updated: now,
			};
			const { id, is_enabled } = campaign.sftp;
			return created({ id, campaign_id: campaign.id, host: connection.host, is_enabled, created_at: iso(now) });
		},
	}),
	route({
		method: 'PUT',
		path: PATH,
		summary: "Update a campaign's SFTP configuration",
		description: 'A change of the host or login disables it until the connection is tested again.',
		refusal,
		body: sftpUpdateBody,
		responses: { 200: dataOf(updatedSftpSchema) },
		errors: {
			422: { when: 'Enabling it needs a successful test of the connection', body: codedError('SFTP_TEST_REQUIRED') },
		},
		handle({ world, params, body }) {
			const { campaign, sftp } = findSftp(world, params.campaign_id);
			const sent = body();
			const connection = { ...sftp.connection, ...sftpConnectionBody.partial().parse(sent) };
			checkSecret(connection);
			const changed = !isDeepStrictEqual(connection, sftp.connection);
			const enabled = sftp.is_enabled && !changed;
			const tested = sftp.lastTestSuccess === true && !changed;
			if (sent.is_enabled && !enabled && !tested) {
				throw flatError(422, 'A successful test of the connection is needed before it can be enabled.', {
					code: 'SFTP_TEST_REQUIRED',
				});
			}
			if (changed) {
				Object.assign(sftp, { connection, lastTestAt: null, lastTestSuccess: null });
			}
			const before = { is_enabled: sftp.is_enabled, import_schedule: sftp.import_schedule };
			Object.assign(sftp, sftpSettingsBody.partial().parse(sent), { is_enabled: sent.is_enabled ?? enabled });
			sftp.updated = world.clock.now();
			const { id, import_schedule, is_enabled } = sftp;
			if (!isDeepStrictEqual(before, { is_enabled, import_schedule })) {
				planImports(world, campaign, sftp);
			}
			return ok({ id, import_schedule, is_enabled, updated_at: iso(sftp.updated) });
		},
	}),
	route({
		method: 'POST',
		path: `${PATH}/test-connection`,
		summary: "Test the connection of a campaign's SFTP configuration",
		description:
			'For a failed test, the response is 200 with `success: false`. The sandbox does not connect: only hosts that end in `.invalid` fail.',
		refusal,
		responses: {
			200: z.union([
				messageAndData(sftpTestSchema),
				failedResult({ message: messageText, data: z.object({ tested_at: timestamp, error: z.string() }) }),
			]),
		},
		handle({ world, params }) {
			const { sftp } = findSftp(world, params.campaign_id);
			const error = loginError(sftp);
			const now = world.clock.now();
			Object.assign(sftp, { lastTestAt: now, lastTestSuccess: error === undefined });
			const tested_at = iso(now);
			if (error !== undefined) {
				return { status: 200, body: { success: false, message: 'Connection failed.', data: { tested_at, error } } };
			}
			return done('Connection successful.', {
				tested_at,
				import_path_accessible: folderError(sftp.import_path) === undefined,
				export_path_accessible: folderError(sftp.export_path) === undefined,
			});
		},
	}),
];

/** @throws 404 in the flat format, for the campaign or the configuration */
export function findSftp(
	world: World,
	campaignId: string | undefined,
): { campaign: Campaign; sftp: SftpConfiguration } {
	const campaign = findCampaign(world, campaignId);
	if (!campaign.sftp) {
		throw notFound('SFTP configuration');
	}
	return { campaign, sftp: campaign.sftp };
}

function shown({ campaign, sftp }: { campaign: Campaign; sftp: SftpConfiguration }): Record<string, unknown> {
	const { host, port, username, auth_type } = sftp.connection;
	return {
		id: sftp.id,
		campaign_id: campaign.id,
		host,
		port,
		username,
		auth_type,
		import_path: sftp.import_path,
		export_path: sftp.export_path,
		import_schedule: sftp.import_schedule,
		is_enabled: sftp.is_enabled,
		last_test_at: sftp.lastTestAt === null ? null : iso(sftp.lastTestAt),
		last_test_success: sftp.lastTestSuccess,
		created_at: iso(sftp.created),
	};
}
