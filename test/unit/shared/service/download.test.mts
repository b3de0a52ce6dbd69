import { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';

import { download } from '../../../../nodes/shared/service/download.ts';

/** The hosts that a download asked. */
async function asked(base: string, address: string): Promise<string[]> {
	const hosts: string[] = [];
	const httpRequest = async ({ url }: { url: string }) => {
		hosts.push(new URL(url).hostname);
		return { statusCode: 200, headers: {}, body: Readable.from([Buffer.from('sound')]) };
	};
	const caller = { helpers: { httpRequest } } as unknown as IExecuteFunctions;
	await download(caller, new URL(base), address, 5).catch(({ code, httpStatus }) => {
		expect({ code, httpStatus }).toEqual({ code: 'UNREADABLE_ANSWER', httpStatus: undefined });
	});
	return hosts;
}

const here = [
	'http://localhost:5678/rest',
	'https://localhost/x',
	'https://localhost./x',
	'https://a.localhost/x',
	'http://127.0.0.1:5678/rest',
	'http://2130706433/x',
	'https://0x7f.1/x',
	'https://127.1/x',
	'https://[::1]/x',
	'https://[::]/x',
	'https://0.0.0.0/x',
	'https://0.1.2.3/x',
	'https://[::ffff:127.0.0.1]/x',
	'https://[0:0:0:0:0:ffff:7f01:0203]/x',
];

test.each(here)('a service on another machine cannot make the node ask %s', async (address) => {
	expect(await asked('https://api.example.com', address)).toEqual([]);
});

test('a service on this machine can have its files there, and on any other machine', async () => {
	expect(await asked('http://127.0.0.1:4010', 'http://localhost:4010/x.mp3')).toEqual(['localhost']);
	expect(await asked('http://localhost:4010', 'https://files.example.com/x.mp3')).toEqual(['files.example.com']);
	expect(await asked('https://api.example.com', 'https://files.example.com/x.mp3')).toEqual(['files.example.com']);
	expect(await asked('https://api.example.com', 'http://files.example.com/x.mp3')).toEqual([]);
});
