import { byId } from '../service.mts';
import type { Runs } from './runs.mts';

export const campaignSftp: Runs = (service) => {
	const { active, draft } = service.seed.campaigns;
	const campaign = byId(active);
	const login = { username: 'ada', authType: 'password', password: 'pa55word' };
	const path = `campaigns/${active}`;
	const files = async () => ((await service.api('GET', path)).body.data as { files: Array<{ id: string }> }).files;
	return {
		create: [
			{ ...login, campaign, host: 'sftp.example.com' },
			{ ...login, campaign: byId(draft), host: 'sftp.invalid', options: { importPath: '/in', exportPath: '/out' } },
		],
		// Before and after the first test.
		get: async () => {
			await service.api('POST', `campaigns/${draft}/sftp/test-connection`);
			return [{ campaign }, { campaign: byId(draft) }];
		},
		testConnection: [{ campaign }, { campaign: byId(draft) }],
		update: [{ campaign, updateFields: { enabled: true } }],
		triggerImport: [{ campaign }],
		triggerExport: async () => {
			await service.advance(10);
			return [{ campaign, campaignFiles: (await files()).map(({ id }) => id) }];
		},
		// Two that succeeded, and one that ended with its campaign.
		getLogs: async () => {
			await service.api('POST', `${path}/sftp/trigger-import`);
			await service.api('PATCH', `${path}/status`, { status: 'cancelled' });
			await service.advance(10);
			return [{ campaign, returnAll: true }];
		},
	};
};
