import { asList, asText, type Json } from '../../client.mts';
import { activeCampaign, callsOf, queue, sftpOn, validCampaign } from '../../objects.mts';
import { useService } from '../../use.mts';

describe('an import over SFTP', () => {
	const service = useService();

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
		await trigger(path);
		await service.advance(4);
		return (await logs(path))[0]!;
	};
	const numbers = async (campaign: string) =>
		(await callsOf(service, campaign)).map(({ to }) => asText(to).slice(-4)).join();
	const statuses = async (campaign: string) => (await callsOf(service, campaign)).map(({ status }) => status);
	const set = (campaign: string, status: string) => service.api('PATCH', `/campaigns/${campaign}/status`, { status });
	/** A campaign in which no call is placed, or of this status. */
	const made = async (settings?: Record<string, unknown>) => {
		const draft = async () => asText((await service.api('POST', '/campaigns', validCampaign(service))).data.data.id);
		const campaign = settings ? await activeCampaign(service, settings) : await draft();
		return [campaign, await sftpOn(service, campaign)] as const;
	};

	it('queues the rows of a CSV file as calls, with the other columns as payload', async () => {
		const [campaign, path] = await made({});
		const rows = [
			'\uFEFFname, Phone_Number ,note',
			'Ada,+12025553001,"likes ""tea"", not coffee"',
			'Grace,0202 555 3002,no country',
			'Edsger,,none at all',
			'',
			'Ada again,+12025553001,twice',
			'Alan,+12025553003',
		];
		await put(campaign, 'spring.csv', rows.join('\r\n'));
		const { data } = await trigger(path);
		expect(await logs(path)).toMatchObject([{ id: data.data.job_id, type: 'import', status: 'running' }]);
		for (const seen of ['uploading 0 0', 'processing 5 0', 'processed 5 2']) {
			await service.advance(1);
			const [file] = (await files(campaign)) as unknown as Array<Record<string, string>>;
			expect([file!.status, file!.total_records, file!.processed_records].join(' ')).toBe(seen);
		}
		expect((await files(campaign))[0]).toMatchObject({ processed_filename: 'spring-processed.csv' });
		expect(await logs(path)).toMatchObject([{ status: 'succeeded', files_processed: 1, rows_processed: 2 }]);
		await service.advance(60);
		expect([await numbers(campaign), await statuses(campaign)]).toEqual(['3001,3003', ['completed', 'completed']]);
		const [ada] = asList(await service.control('calls')).filter(({ to }) => asText(to) === '+12025553001');
		expect(ada!.payload).toEqual({ name: 'Ada', note: 'likes "tea", not coffee' });
	});

	it('imports a file once, and again after it was put there again, but no number that is queued already', async () => {
		const [campaign, path] = await made({ initial_call_delay: 3600 });
		await put(campaign, 'B.CSV', 'to\n+12025550002\n');
		await put(campaign, 'a.csv', 'to\n+12025550009\n');
		await put(campaign, 'a.csv', 'to\n+12025550001\n');
		expect(await waiting(campaign)).toEqual(['B.CSV', 'a.csv']);
		await queue(service, campaign, '+12025550003');
		expect(await run(path)).toMatchObject({ files_processed: 2, rows_processed: 2 });
		expect(await run(path)).toMatchObject({ status: 'succeeded', files_processed: 0, rows_processed: 0 });
		await put(campaign, 'a.csv', 'to\n+12025550001\n+12025550005\n+12025550003\n');
		expect(await run(path)).toMatchObject({ files_processed: 1, rows_processed: 1 });
		expect((await files(campaign)).map((file) => asText(file.original_filename)).join()).toBe('B.CSV,a.csv,a.csv');
		expect(await numbers(campaign)).toBe('0003,0002,0001,0005');
	});

	it.each([
		['phone', 'phone,to,phone_number', '1,+12025550001,2', { phone: '1', phone_number: '2' }],
		['phone', 'phone,Phone_Number', '1,+12025550001', { phone: '1' }],
		['name', 'PHONE,name', '+12025550001,Ada', { name: 'Ada' }],
	])('finds the numbers in to, then phone_number, then phone (with %s beside: %s)', async (...given) => {
		const [, header, row, payload] = given;
		const [campaign, path] = await made({});
		await put(campaign, 'a.csv', `${header}\n${row}\n`);
		await run(path);
		await service.advance(1);
		const [call] = asList(await service.control('calls')).filter(({ to }) => asText(to) === '+12025550001');
		expect(call!.payload).toEqual(payload);
	});

	it.each([
		['without a column of numbers', 'name,street\nAda,Main Street\n', 'column'],
		['that is empty', '', 'column'],
		['that is no CSV', 'to,name\n+12025550001,"Ada\n', 'Quote'],
	])('fails a file %s, logs the reason, and imports the others', async (_what, content, why) => {
		const [campaign, path] = await made();
		await put(campaign, 'bad.csv', content);
		await put(campaign, 'good.csv', 'to\n+12025550001\n');
		const log = await run(path);
		expect(log).toMatchObject({ status: 'failed', files_processed: 1, rows_processed: 1 });
		expect(log.error).toMatch(new RegExp(`^bad.csv: .*${why}`));
		expect(await files(campaign)).toMatchObject([
			{ status: 'failed', processed_filename: null, processed_records: 0 },
			{ status: 'processed' },
		]);
		expect(await run(path)).toMatchObject({ status: 'succeeded', files_processed: 0 });
	});

	it.each([
		['before it', 0, []],
		['meanwhile', 2, ['failed']],
	])('is cancelled if the campaign ends %s', async (_when, seconds, expected) => {
		const [campaign, path] = await made({});
		await put(campaign, 'a.csv', 'to\n+12025550001\n');
		if (seconds === 0) {
			await set(campaign, 'completed');
		}
		await trigger(path);
		await service.advance(seconds);
		await set(campaign, 'cancelled');
		await service.advance(5);
		expect((await logs(path))[0]).toMatchObject({ status: 'cancelled', rows_processed: 0 });
		expect((await files(campaign)).map(({ status }) => status)).toEqual(expected);
		expect(await numbers(campaign)).toBe('');
	});

	it.each([
		['hourly', 3600],
		['daily', 86_400],
	])('runs %s by itself, every %i seconds, while it is enabled', async (import_schedule, seconds) => {
		const [campaign, path] = await made();
		await service.api('PUT', path, { import_schedule });
		await put(campaign, 'a.csv', 'to\n+12025550001\n');
		const counts = [];
		for (const [pause, settings] of [
			[seconds - 10, {}],
			[20, {}],
			[seconds, { is_enabled: false }],
			[3 * seconds, { is_enabled: true, import_schedule: 'manual' }],
			[3 * seconds, {}],
		] as const) {
			await service.advance(pause);
			counts.push((await logs(path)).length);
			await service.api('PUT', path, settings);
		}
		expect(counts).toEqual([0, 1, 2, 2, 2]);
	});
});
