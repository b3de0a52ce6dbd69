import { asList, asText } from '../../client.mts';
import { activeCampaign, sftpOn } from '../../objects.mts';
import { useService } from '../../use.mts';

describe('an export over SFTP', () => {
	const service = useService();
	let campaign: string;
	let path: string;
	beforeEach(async () => {
		campaign = await activeCampaign(service, { max_retries: 0 });
		path = await sftpOn(service, campaign);
		await put('spring.csv', 'to,name\n+12025550001,"Ada, Countess"\n+12025550002,Grace\nwrong,Edsger\n');
	});

	const put = (name: string, content: string) => service.control(`campaigns/${campaign}/sftp`, { name, content });
	const bring = async () => {
		await service.api('POST', `${path}/trigger-import`);
		await service.advance(4);
		return asList((await service.api('GET', `/campaigns/${campaign}`)).data.data.files).map(({ id }) => asText(id));
	};
	const send = (file_data_ids: unknown, from = path) =>
		service.api('POST', `${from}/trigger-export`, { file_data_ids });
	const logs = async (query = '') => (await service.api('GET', `${path}/logs${query}`)).data;
	const written = async () => asList((await service.control(`campaigns/${campaign}/sftp`)).written);

	it('writes a result for every row of each file, also once the campaign is over', async () => {
		const [file = ''] = await bring();
		await service.advance(60);
		await service.api('PATCH', `/campaigns/${campaign}/status`, { status: 'completed' });
		const { data } = await send([file, file]);
		expect(data.data.files_count).toBe(1);
		await service.advance(2);
		const [result, ...more] = await written();
		expect([result!.name, more]).toEqual([`spring-results-${file.slice(0, 8)}.csv`, []]);
		const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ';
		const rows = asText(result!.content).split('\r\n');
		expect(rows[0]).toBe('to,status,retries,duration,scheduled_at,created_at,call_id,name');
		expect(rows[1]).toMatch(new RegExp(`^\\+12025550001,completed,0,30,,${time},[\\w-]{36},"Ada, Countess"$`));
		expect(rows[2]).toMatch(new RegExp(`^\\+12025550002,failed,0,0,,${time},[\\w-]{36},Grace$`));
		expect(rows.slice(3)).toEqual(['wrong,invalid_number,,,,,,Edsger', '']);
		const log = { type: 'export', status: 'succeeded', files_processed: 1, rows_processed: 3 };
		expect((await logs()).data[0]).toMatchObject({ id: data.data.job_id, ...log });
	});

	it('is refused for a file that is unknown, not processed, or of another campaign', async () => {
		await put('bad.csv', 'nothing');
		const [good, bad] = await bring();
		const other = await sftpOn(service, service.seed.campaigns.draft);
		for (const [from, ids, key] of [
			[path, ['00000000-0000-4000-8000-000000000000'], 'file_data_ids.0'],
			[path, [good, bad], 'file_data_ids.1'],
			[other, [good], 'file_data_ids.0'],
		] as const) {
			expect(Object.keys((await send(ids, from)).data.errors)).toEqual([key]);
		}
	});

	it('logs why it fails', async () => {
		const ids = await bring();
		await service.api('PUT', path, { export_path: '/out.invalid' });
		await send(ids);
		await service.advance(4);
		const failed = asList((await logs()).data).find(({ type }) => asText(type) === 'export');
		expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('/out.invalid') });
	});
});
