import { asList, asText } from '../client.mts';
import { campaign, draftCampaign, queued, type Step, setStatus, sftp, useStories } from '../story.mts';

const { service, play, stories } = useStories();
const PATH = '/campaigns/{c}/sftp';
/** An active campaign, and a draft campaign that places no calls, each with SFTP. */
const active = (settings: object = {}): Step[] => [...campaign('c', settings), ...sftp('c')];
const draft: Step[] = [...draftCampaign('c'), ...sftp('c')];
const put = (name: string, content: string): Step => ['POST /_sandbox/campaigns/{c}/sftp 200', { name, content }];
const imported: Step = [`POST ${PATH}/trigger-import 200 > job=data.job_id`];
/** Returns the steps of an import until its end. */
const run: Step[] = [imported, ['wait 4']];
const exported = (status: number, ids: string[], refusal?: string, path = PATH): Step => [
	`POST ${path}/trigger-export ${status}`,
	{ file_data_ids: ids },
	refusal,
];
const logsAre = (...logs: object[]): Step => [`GET ${PATH}/logs 200`, { data: logs }];
const latestLog = (log: object): Step => [`GET ${PATH}/logs?per_page=1 200`, { data: [log] }];
const filesAre = (...files: object[]): Step => ['GET /campaigns/{c} 200', { data: { files } }];
const callsTo = (...digits: string[]): Step => [
	'GET /campaigns/{c} 200',
	{ data: { calls: digits.map((last) => ({ to: expect.stringMatching(new RegExp(`${last}$`)) })) } },
];
const payloadIs = (to: string, payload: object): Step => [
	`GET /_sandbox/calls 200`,
	expect.arrayContaining([expect.objectContaining({ to, payload })]),
];

describe('an import over SFTP', () => {
	stories({
		'queues the rows of a CSV file as calls, with the other columns as payload': [
			...active(),
			put(
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
			),
			imported,
			logsAre({ id: '{job}', type: 'import', status: 'running' }),
			...[
				['uploading', 0, 0],
				['processing', 5, 0],
				['processed', 5, 2],
			].flatMap(([status, total_records, processed_records]): Step[] => [
				['wait 1'],
				filesAre({ status, total_records, processed_records }),
			]),
			filesAre({ processed_filename: 'spring-processed.csv' }),
			logsAre({ status: 'succeeded', files_processed: 1, rows_processed: 2 }),
			['wait 60'],
			['GET /campaigns/{c} 200', { data: { calls: [{ status: 'completed' }, { status: 'completed' }] } }],
			callsTo('3001', '3003'),
			payloadIs('+12025553001', { name: 'Ada', note: 'likes "tea", not coffee' }),
		],
		'imports a file once, and again after it was put there again, but no number that is queued already': [
			...active({ initial_call_delay: 3600 }),
			put('B.CSV', 'to\n+12025550002\n'),
			put('a.csv', 'to\n+12025550009\n'),
			put('a.csv', 'to\n+12025550001\n'),
			['GET /_sandbox/campaigns/{c}/sftp 200', { waiting: [{ name: 'B.CSV' }, { name: 'a.csv' }] }],
			queued('c', '+12025550003'),
			...run,
			latestLog({ files_processed: 2, rows_processed: 2 }),
			...run,
			latestLog({ status: 'succeeded', files_processed: 0, rows_processed: 0 }),
			put('a.csv', 'to\n+12025550001\n+12025550005\n+12025550003\n'),
			...run,
			latestLog({ files_processed: 1, rows_processed: 1 }),
			filesAre(...['B.CSV', 'a.csv', 'a.csv'].map((original_filename) => ({ original_filename }))),
			callsTo('0003', '0002', '0001', '0005'),
		],
	});

	it.each([
		['phone', 'phone,to,phone_number', '1,+12025550001,2', { phone: '1', phone_number: '2' }],
		['phone', 'phone,Phone_Number', '1,+12025550001', { phone: '1' }],
		['name', 'PHONE,name', '+12025550001,Ada', { name: 'Ada' }],
	])('finds the numbers in to, then phone_number, then phone (with %s beside: %s)', async (...given) => {
		const [, header, row, payload] = given;
		await play([...active(), put('a.csv', `${header}\n${row}\n`), ...run, payloadIs('+12025550001', payload)]);
	});

	it.each([
		['without a column of numbers', 'name,street\nAda,Main Street\n', 'column'],
		['that is empty', '', 'column'],
		['that is no CSV', 'to,name\n+12025550001,"Ada\n', 'Quote'],
	])('fails a file %s, logs the reason, and imports the others', async (_what, content, why) => {
		const error = expect.stringMatching(new RegExp(`^bad.csv: .*${why}`));
		await play([
			...draft,
			put('bad.csv', content),
			put('good.csv', 'to\n+12025550001\n'),
			...run,
			logsAre({ status: 'failed', files_processed: 1, rows_processed: 1, error }),
			filesAre({ status: 'failed', processed_filename: null, processed_records: 0 }, { status: 'processed' }),
			...run,
			latestLog({ status: 'succeeded', files_processed: 0 }),
		]);
	});

	const one = put('a.csv', 'to\n+12025550001\n');
	const cancelled: Step[] = [['wait 5'], latestLog({ status: 'cancelled', rows_processed: 0 }), callsTo()];
	stories({
		'is cancelled if the campaign is over': [
			...active(),
			one,
			setStatus('c', 'completed'),
			imported,
			...cancelled,
			filesAre(),
		],
		'is cancelled if the campaign ends meanwhile': [
			...active(),
			one,
			imported,
			['wait 2'],
			setStatus('c', 'cancelled'),
			...cancelled,
			filesAre({ status: 'failed' }),
		],
	});

	it.each([
		['hourly', 3600],
		['daily', 86_400],
	])('runs %s by itself, every %i seconds, while it is enabled', async (import_schedule, seconds) => {
		const logs = (length: number): Step => [`GET ${PATH}/logs 200`, { data: { length } }];
		const change = (settings: object): Step => [`PUT ${PATH} 200`, settings];
		const wait = (pause: number): Step => [`wait ${pause}`];
		await play([
			...[...draft, change({ import_schedule }), one],
			...[wait(seconds - 10), logs(0), wait(20), logs(1), wait(seconds), logs(2)],
			...[change({ is_enabled: false }), wait(3 * seconds), logs(2)],
			...[change({ is_enabled: true, import_schedule: 'manual' }), wait(3 * seconds), logs(2)],
		]);
	});
});

describe('an export over SFTP', () => {
	const processed: Step[] = [
		...active({ max_retries: 0 }),
		put('spring.csv', 'to,name\n+12025550001,"Ada, Countess"\n+12025550002,Grace\nwrong,Edsger\n'),
		...run,
		['GET /campaigns/{c} 200 > file=data.files.0.id'],
	];

	it('writes a result for every row of each file, also once the campaign is over', async () => {
		const { c, file } = await play([
			...processed,
			['wait 60'],
			setStatus('c', 'completed'),
			exported(200, ['{file}', '{file}']),
			['wait 2'],
			latestLog({ type: 'export', status: 'succeeded', files_processed: 1, rows_processed: 3 }),
		]);
		const [result, ...more] = asList((await service.control(`campaigns/${String(c)}/sftp`)).written);
		expect([result!.name, more]).toEqual([`spring-results-${String(file).slice(0, 8)}.csv`, []]);
		const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ';
		const rows = asText(result!.content).split('\r\n');
		expect(rows).toEqual([
			'to,status,retries,duration,scheduled_at,created_at,call_id,name',
			expect.stringMatching(new RegExp(`^\\+12025550001,completed,0,30,,${time},[\\w-]{36},"Ada, Countess"$`)),
			expect.stringMatching(new RegExp(`^\\+12025550002,failed,0,0,,${time},[\\w-]{36},Grace$`)),
			'wrong,invalid_number,,,,,,Edsger',
			'',
		]);
	});

	stories({
		'is refused for a file that is unknown, not processed, or of another campaign': [
			...processed,
			put('bad.csv', 'nothing'),
			...run,
			['GET /campaigns/{c} 200 > bad=data.files.1.id'],
			exported(422, ['00000000-0000-4000-8000-000000000000'], 'file_data_ids.0'),
			exported(422, ['{file}', '{bad}'], 'file_data_ids.1'),
			...sftp('draft'),
			exported(422, ['{file}'], 'file_data_ids.0', '/campaigns/{draft}/sftp'),
		],
		'logs why it fails': [
			...processed,
			[`PUT ${PATH} 200`, { export_path: '/out.invalid' }],
			exported(200, ['{file}']),
			['wait 4'],
			latestLog({ type: 'export', status: 'failed', error: expect.stringContaining('/out.invalid') }),
		],
	});
});
