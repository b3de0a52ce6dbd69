import { asList, asText, type SandboxClient, startClient } from '../../client.mts';
import { activeCampaign, sftpOn } from '../../objects.mts';

describe('an export over SFTP', () => {
	let service: SandboxClient;
	let campaign: string;
	let path: string;
	beforeEach(async () => {
		service = await startClient();
		campaign = await activeCampaign(service, { max_retries: 0 });
		path = await sftpOn(service, campaign);
		await put('spring.csv', 'to,name\n+12025550001,"Ada, Countess"\n+12025550002,Grace\nwrong,Edsger\n');
	});
	afterEach(() => service.close());

	const put = (name: string, content: string) => service.control(`campaigns/${campaign}/sftp`, { name, content });
	const bring = async () => {
		await service.api('POST', `${path}/trigger-import`);
		await service.advance(4);
		return asList((await service.api('GET', `/campaigns/${campaign}`)).data.data.files).map(({ id }) => asText(id));
	};
	const send = (file_data_ids: unknown) => service.api('POST', `${path}/trigger-export`, { file_data_ids });
	const logs = async (query = '') => (await service.api('GET', `${path}/logs${query}`)).data;
	const written = async () => asList((await service.control(`campaigns/${campaign}/sftp`)).written);

	it('writes the results of each file, with a result for every row', async () => {
		const [file = ''] = await bring();
		await service.advance(60);
		const { status, data } = await send([file, file]);
		expect([status, data]).toEqual([
			200,
			{ success: true, message: expect.any(String), data: { job_id: expect.any(String), files_count: 1 } },
		]);
		await service.advance(2);
		const [result, ...more] = await written();
		expect([result!.name, more]).toEqual([`spring-results-${file.slice(0, 8)}.csv`, []]);
		const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ';
		const rows = asText(result!.content).split('\r\n');
		expect(rows[0]).toBe('to,status,retries,duration,scheduled_at,created_at,call_id,name');
		expect(rows[1]).toMatch(new RegExp(`^\\+12025550001,completed,0,30,,${time},[\\w-]{36},"Ada, Countess"$`));
		expect(rows[2]).toMatch(new RegExp(`^\\+12025550002,failed,0,0,,${time},[\\w-]{36},Grace$`));
		expect(rows.slice(3)).toEqual(['wrong,invalid_number,,,,,,Edsger', '']);
		expect((await logs()).data[0]).toEqual({
			id: data.data.job_id,
			type: 'export',
			status: 'succeeded',
			files_processed: 1,
			rows_processed: 3,
			started_at: expect.any(String),
			completed_at: expect.any(String),
		});
	});

	it('replaces its earlier results, which no import reads', async () => {
		const [file] = await bring();
		const again = async () => {
			await send([file]);
			await service.advance(2);
		};
		await again();
		const [first] = await written();
		await service.advance(60);
		await again();
		const [second, ...more] = await written();
		expect([second!.name, more]).toEqual([first!.name, []]);
		expect(second!.content).not.toEqual(first!.content);
		expect(await bring()).toEqual([file]);
	});

	it('is possible once the campaign is over', async () => {
		const [file] = await bring();
		await service.api('PATCH', `/campaigns/${campaign}/status`, { status: 'completed' });
		expect((await send([file])).status).toBe(200);
		await service.advance(2);
		expect(await written()).toHaveLength(1);
	});

	it('fails, and logs the reason, if the folder is missing', async () => {
		await service.api('PUT', path, { export_path: '/out.invalid' });
		await send(await bring());
		await service.advance(2);
		expect((await logs()).data[0]).toMatchObject({
			type: 'export',
			status: 'failed',
			files_processed: 0,
			error: expect.stringContaining('/out.invalid'),
		});
	});

	it.each<[string, unknown, string]>([
		['no list', undefined, 'file_data_ids'],
		['an empty list', [], 'file_data_ids'],
		['a text', 'all', 'file_data_ids'],
		['what is no UUID', ['spring.csv'], 'file_data_ids.0'],
		['an unknown file', ['00000000-0000-4000-8000-000000000000'], 'file_data_ids.0'],
	])('is refused for %s', async (_what, ids, key) => {
		const { status, data } = await send(ids);
		expect([status, data]).toEqual([
			422,
			{ success: false, message: expect.any(String), errors: { [key]: [expect.any(String)] } },
		]);
	});

	it('is refused for a file that is not processed, and for one of another campaign', async () => {
		await put('bad.csv', 'nothing');
		const [good, bad] = await bring();
		const { status, data } = await send([good, bad]);
		expect([status, Object.keys(data.errors)]).toEqual([422, ['file_data_ids.1']]);
		const other = await sftpOn(service, service.seed.campaigns.draft);
		const foreign = await service.api('POST', `${other}/trigger-export`, { file_data_ids: [good] });
		expect([foreign.status, Object.keys(foreign.data.errors)]).toEqual([422, ['file_data_ids.0']]);
	});

	it('answers 409 while one is under way; an import may run beside it', async () => {
		const ids = await bring();
		await send(ids);
		const { status, data } = await send(ids);
		expect([status, data]).toEqual([
			409,
			{ success: false, message: expect.any(String), code: 'SFTP_EXPORT_IN_PROGRESS' },
		]);
		expect((await service.api('POST', `${path}/trigger-import`)).status).toBe(200);
	});

	it('needs an enabled configuration', async () => {
		const ids = await bring();
		await service.api('PUT', path, { is_enabled: false });
		const { status, data } = await send(ids);
		expect([status, data]).toEqual([422, { success: false, message: 'The SFTP configuration is disabled.' }]);
	});

	it('and imports are listed newest first, in pages of 25, without last_page', async () => {
		for (let round = 0; round < 26; round += 1) {
			await service.api('POST', `${path}/trigger-import`);
			await service.advance(4);
		}
		const first = await logs();
		expect(first.pagination).toEqual({ current_page: 1, per_page: 25, total: 26 });
		expect(asList(first.data)).toHaveLength(25);
		const times = asList(first.data).map(({ started_at }) => Date.parse(asText(started_at)));
		expect(times).toEqual([...times].sort((one, other) => other - one));
		expect(asList((await logs('?page=2')).data)).toMatchObject([{ files_processed: 1 }]);
		expect((await logs('?per_page=100')).pagination).toMatchObject({ per_page: 100 });
		expect(await logs('?per_page=10&page=9')).toMatchObject({ data: [], pagination: { current_page: 9 } });
		for (const [query, field] of [
			['per_page=0', 'per_page'],
			['per_page=101', 'per_page'],
			['page=0', 'page'],
		]) {
			const { status, data } = await service.api('GET', `${path}/logs?${query}`);
			expect([status, Object.keys(data.errors)]).toEqual([422, [field]]);
		}
	});
});
