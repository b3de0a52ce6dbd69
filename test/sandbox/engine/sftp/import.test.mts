import { asList, asText, type Json, type SandboxClient, startClient } from '../../client.mts';
import { activeCampaign, callsOf, queue, sftpOn, validCampaign } from '../../objects.mts';

describe('an import over SFTP', () => {
	let service: SandboxClient;
	beforeAll(async () => {
		service = await startClient();
	});
	afterAll(() => service.close());
	beforeEach(() => service.control('reset', {}));

	/** Puts a file into the campaign's import folder. */
	const put = (campaign: string, name: string, content: string) =>
		service.control(`campaigns/${campaign}/sftp`, { name, content });
	/** The names of the files that no import has taken. */
	const waiting = async (campaign: string) =>
		asList((await service.control(`campaigns/${campaign}/sftp`)).waiting).map(({ name }) => name);
	const trigger = (path: string) => service.api('POST', `${path}/trigger-import`);
	const logs = async (path: string) => asList((await service.api('GET', `${path}/logs`)).data.data);
	const files = async (campaign: string) =>
		asList((await service.api('GET', `/campaigns/${campaign}`)).data.data.files);
	/** Starts an import, waits for its end and returns its log. */
	const run = async (path: string): Promise<Json> => {
		const { status, data } = await trigger(path);
		if (status !== 200) {
			throw new Error(JSON.stringify(data));
		}
		await service.advance(4);
		return (await logs(path))[0]!;
	};
	/** A draft campaign, in which no call is placed. */
	const draft = async () => asText((await service.api('POST', '/campaigns', validCampaign(service))).data.data.id);

	it('imports a CSV file, and queues its rows as calls with the other columns as payload', async () => {
		const campaign = await activeCampaign(service);
		const path = await sftpOn(service, campaign);
		await put(
			campaign,
			'spring.csv',
			[
				'\uFEFFname, Phone_Number ,note',
				'Ada,+12025553001,"likes ""tea"", not coffee"',
				'Grace,0202 555 3002,no country',
				'Edsger,,none at all',
				'',
				'Ada again,+12025553001,twice',
				'Alan,+12025553003',
			].join('\r\n'),
		);
		const { status, data } = await trigger(path);
		expect(status).toBe(200);
		expect(data).toEqual({
			success: true,
			message: expect.any(String),
			data: { job_id: expect.any(String), queued_at: expect.stringMatching(/Z$/) },
		});
		await service.advance(4);
		expect(await files(campaign)).toEqual([
			{
				id: expect.any(String),
				original_filename: 'spring.csv',
				processed_filename: 'spring-processed.csv',
				status: 'processed',
				total_records: 5,
				processed_records: 2,
			},
		]);
		expect((await callsOf(service, campaign)).map(({ to }) => to)).toEqual(['+12025553001', '+12025553003']);
		expect(await logs(path)).toEqual([
			{
				id: data.data.job_id,
				type: 'import',
				status: 'succeeded',
				files_processed: 1,
				rows_processed: 2,
				started_at: data.data.queued_at,
				completed_at: expect.stringMatching(/Z$/),
			},
		]);
		await service.advance(60);
		expect((await callsOf(service, campaign)).map((call) => call.status)).toEqual(['completed', 'completed']);
		const [ada] = asList(await service.control('calls')).filter(({ to }) => asText(to) === '+12025553001');
		expect(ada!.payload).toEqual({ name: 'Ada', note: 'likes "tea", not coffee' });
	});

	it('leads each file from uploading to processing to processed', async () => {
		const campaign = await draft();
		const path = await sftpOn(service, campaign);
		await put(campaign, 'a.csv', 'to\n+12025550001\nwrong\n');
		await trigger(path);
		const seen: unknown[] = [];
		for (let second = 0; second < 4; second += 1) {
			const [file] = await files(campaign);
			const [log] = await logs(path);
			seen.push([file?.status, file?.total_records, file?.processed_records, log!.status]);
			await service.advance(1);
		}
		expect(seen).toEqual([
			[undefined, undefined, undefined, 'running'],
			['uploading', 0, 0, 'running'],
			['processing', 2, 0, 'running'],
			['processed', 2, 1, 'succeeded'],
		]);
	});

	it('imports a file once, and again after it was put there again', async () => {
		const campaign = await draft();
		const path = await sftpOn(service, campaign);
		await put(campaign, 'B.CSV', 'to\n+12025550002\n');
		await put(campaign, 'a.csv', 'to\n+12025550009\n');
		await put(campaign, 'a.csv', 'to\n+12025550001\n');
		expect(await waiting(campaign)).toEqual(['B.CSV', 'a.csv']);
		expect(await run(path)).toMatchObject({ files_processed: 2, rows_processed: 2 });
		expect(await run(path)).toMatchObject({ status: 'succeeded', files_processed: 0, rows_processed: 0 });
		await put(campaign, 'a.csv', 'to\n+12025550001\n+12025550005\n');
		expect(await run(path)).toMatchObject({ files_processed: 1, rows_processed: 1 });
		expect((await files(campaign)).map(({ original_filename }) => original_filename)).toEqual([
			'B.CSV',
			'a.csv',
			'a.csv',
		]);
		expect((await callsOf(service, campaign)).map(({ to }) => to)).toEqual([
			'+12025550002',
			'+12025550001',
			'+12025550005',
		]);
	});

	it.each([
		['phone', 'phone,to,phone_number', '1,+12025550001,2', { phone: '1', phone_number: '2' }],
		['phone', 'phone,Phone_Number', '1,+12025550001', { phone: '1' }],
		['name', 'PHONE,name', '+12025550001,Ada', { name: 'Ada' }],
	])(
		'finds the numbers in to, then phone_number, then phone (with %s beside: %s)',
		async (_beside, header, row, payload) => {
			const campaign = await activeCampaign(service);
			const path = await sftpOn(service, campaign);
			await put(campaign, 'a.csv', `${header}\n${row}\n`);
			await run(path);
			await service.advance(1);
			const [call] = asList(await service.control('calls')).filter(({ to }) => asText(to) === '+12025550001');
			expect(call!.payload).toEqual(payload);
		},
	);

	it.each([
		['without a column of numbers', 'name,street\nAda,Main Street\n', 'column'],
		['that is empty', '', 'column'],
		['that is no CSV', 'to,name\n+12025550001,"Ada\n', 'Quote'],
	])('fails a file %s, logs the reason, and imports the others', async (_what, content, why) => {
		const campaign = await draft();
		const path = await sftpOn(service, campaign);
		await put(campaign, 'bad.csv', content);
		await put(campaign, 'good.csv', 'to\n+12025550001\n');
		const log = await run(path);
		expect(log).toMatchObject({ status: 'failed', files_processed: 1, rows_processed: 1 });
		expect(log.error).toMatch(new RegExp(`^bad.csv: .*${why}`));
		expect(await files(campaign)).toMatchObject([
			{ original_filename: 'bad.csv', status: 'failed', processed_filename: null, processed_records: 0 },
			{ original_filename: 'good.csv', status: 'processed' },
		]);
		expect(await run(path)).toMatchObject({ status: 'succeeded', files_processed: 0 });
	});

	it('fails completely if the folder is missing or the host does not exist', async () => {
		const campaign = await draft();
		const path = await sftpOn(service, campaign, { import_path: '/in.invalid' });
		expect(await run(path)).toMatchObject({ status: 'failed', error: expect.stringContaining('/in.invalid') });
		await service.api('PUT', path, { import_path: '/in' });
		await trigger(path);
		await service.api('PUT', path, { host: 'sftp.invalid' });
		await service.advance(4);
		expect((await logs(path))[0]).toMatchObject({ status: 'failed', error: expect.any(String), rows_processed: 0 });
		expect(await files(campaign)).toEqual([]);
	});

	it.each(['notes.txt', 'in/a.csv', ''])('takes no file that is named %j', async (name) => {
		const campaign = await draft();
		await sftpOn(service, campaign);
		const file = { name, content: 'to\n+12025550001\n' };
		const { status, data } = await service.controlResponse('POST', `campaigns/${campaign}/sftp`, file);
		expect([status, Object.keys(data.errors)]).toEqual([422, ['name']]);
		expect((await service.control(`campaigns/${campaign}/sftp`)).waiting).toBeNull();
	});

	it('has files only in a campaign with a configuration', async () => {
		const campaign = await draft();
		const file = { name: 'a.csv', content: '' };
		const { status, data } = await service.controlResponse('POST', `campaigns/${campaign}/sftp`, file);
		expect([status, data.message]).toEqual([404, 'SFTP configuration not found.']);
	});

	it('queues no number that is active or queued in the campaign already', async () => {
		const campaign = await activeCampaign(service, { initial_call_delay: 3600 });
		const path = await sftpOn(service, campaign);
		await queue(service, campaign, '+12025550001');
		await put(campaign, 'a.csv', 'to\n+12025550001\n+12025550011\n');
		expect(await run(path)).toMatchObject({ files_processed: 1, rows_processed: 1 });
		expect(await callsOf(service, campaign)).toHaveLength(2);
	});

	it('in a draft or paused campaign queues calls that wait until it is active', async () => {
		const campaign = await draft();
		const path = await sftpOn(service, campaign);
		await put(campaign, 'a.csv', 'to\n+12025550001\n');
		await run(path);
		await service.advance(3600);
		expect(await callsOf(service, campaign)).toMatchObject([{ to: '+12025550001', status: 'queued' }]);
		const set = (status: string) => service.api('PATCH', `/campaigns/${campaign}/status`, { status });
		await set('active');
		await service.advance(60);
		await set('paused');
		await put(campaign, 'b.csv', 'to\n+12025550011\n');
		await run(path);
		await service.advance(3600);
		expect((await callsOf(service, campaign)).map(({ status }) => status)).toEqual(['completed', 'queued']);
	});

	it.each(['completed', 'cancelled'] as const)('is cancelled if the campaign is %s', async (status) => {
		const campaign = service.seed.campaigns[status];
		const path = await sftpOn(service, campaign);
		await put(campaign, 'a.csv', 'to\n+12025550001\n');
		expect(await run(path)).toMatchObject({ status: 'cancelled', error: expect.any(String), files_processed: 0 });
		expect(await waiting(campaign)).toEqual(['a.csv']);
	});

	it('is cancelled, and its files fail, if the campaign ends meanwhile', async () => {
		const campaign = await activeCampaign(service);
		const path = await sftpOn(service, campaign);
		await put(campaign, 'a.csv', 'to\n+12025550001\n');
		await trigger(path);
		await service.advance(2);
		await service.api('PATCH', `/campaigns/${campaign}/status`, { status: 'cancelled' });
		await service.advance(5);
		expect((await logs(path))[0]).toMatchObject({ status: 'cancelled', rows_processed: 0 });
		expect(await files(campaign)).toMatchObject([{ status: 'failed', processed_records: 0 }]);
		expect(await callsOf(service, campaign)).toEqual([]);
	});

	it('ends with its campaign', async () => {
		const campaign = await draft();
		const dueWithout = (await service.control('status')).next_event_at;
		const path = await sftpOn(service, campaign, { import_schedule: 'hourly' });
		await trigger(path);
		expect((await service.control('status')).next_event_at).not.toEqual(dueWithout);
		await service.api('DELETE', `/campaigns/${campaign}`);
		await service.advance(4);
		expect((await service.control('status')).next_event_at).toEqual(dueWithout);
	});

	it('answers 409 while one is under way', async () => {
		const path = await sftpOn(service, await draft());
		await trigger(path);
		const { status, data } = await trigger(path);
		expect([status, data]).toEqual([
			409,
			{ success: false, message: expect.any(String), code: 'SFTP_IMPORT_IN_PROGRESS' },
		]);
		await service.advance(4);
		expect((await trigger(path)).status).toBe(200);
	});

	it('needs an enabled configuration', async () => {
		const path = await sftpOn(service, await draft());
		await service.api('PUT', path, { is_enabled: false });
		const { status, data } = await trigger(path);
		expect([status, data]).toEqual([422, { success: false, message: 'The SFTP configuration is disabled.' }]);
		expect(await logs(path)).toEqual([]);
	});

	it.each([
		['hourly', 3600],
		['daily', 86_400],
	])('runs %s by itself, every %i seconds, while it is enabled', async (import_schedule, seconds) => {
		const campaign = await draft();
		const path = await sftpOn(service, campaign, { import_schedule });
		await put(campaign, 'a.csv', 'to\n+12025550001\n');
		await service.advance(seconds - 10);
		expect(await logs(path)).toEqual([]);
		await service.advance(20);
		expect(await logs(path)).toMatchObject([{ type: 'import', status: 'succeeded', files_processed: 1 }]);
		await service.advance(seconds);
		expect(await logs(path)).toHaveLength(2);
		await service.api('PUT', path, { is_enabled: false });
		await service.advance(3 * seconds);
		expect(await logs(path)).toHaveLength(2);
		await service.api('PUT', path, { is_enabled: true, import_schedule: 'manual' });
		await service.advance(3 * seconds);
		expect(await logs(path)).toHaveLength(2);
	});

	it('stops running by itself once the campaign has ended', async () => {
		const path = await sftpOn(service, service.seed.campaigns.completed, { import_schedule: 'hourly' });
		await service.advance(10 * 3600);
		expect(await logs(path)).toEqual([]);
	});

	it('brings one small made-up file each time until a file is put there', async () => {
		const campaign = await draft();
		const path = await sftpOn(service, campaign);
		expect(await run(path)).toMatchObject({ status: 'succeeded', files_processed: 1, rows_processed: 3 });
		expect(await run(path)).toMatchObject({ status: 'succeeded', files_processed: 1, rows_processed: 3 });
		expect(await files(campaign)).toMatchObject([
			{ original_filename: 'contacts-1.csv', status: 'processed', total_records: 3, processed_records: 3 },
			{ original_filename: 'contacts-2.csv', status: 'processed', total_records: 3, processed_records: 3 },
		]);
		expect(await callsOf(service, campaign)).toHaveLength(6);
		await put(campaign, 'own.csv', 'to\n+12025550001\n');
		expect(await run(path)).toMatchObject({ files_processed: 1, rows_processed: 1 });
		expect(await run(path)).toMatchObject({ status: 'succeeded', files_processed: 0, rows_processed: 0 });
	});
});
