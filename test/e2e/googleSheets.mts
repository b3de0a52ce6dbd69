import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import type { WorkflowFile } from '../../scripts/lib/examples.mts';
import { byId, type Instance } from './instance.mts';
import { type StandInHosts, standInFor } from './standInHosts.mts';

const TOKENS = 'oauth2.googleapis.com';
const SHEETS = 'sheets.googleapis.com';

/** The sheet's title. */
const TITLE = 'Contacts';
const SHEET_ID = 7;

type Cell = string | number;

/** What the stand-in answers: a status, and a JSON body. */
type Answer = [status: number, body: object];

/**
 * A stand-in for Google on this machine, which n8n reaches by a proxy: the tokens of OAuth 2, and one spreadsheet with
 * one sheet. It knows only what n8n's Google Sheets node asks for, and refuses everything else.
 */
export class GoogleSheets {
	/** The ID of the spreadsheet, as long as a real one. */
	readonly id = `sheet-${randomUUID()}`;
	/** The rows, with the names of the columns in the first one. */
	rows: Cell[][] = [];
	/** How many of the next requests to the sheet find it busy. */
	busy = 0;
	/** Whether the account may only look at the sheet. */
	isReadOnly = false;
	private readonly token = randomUUID();
	private hosts!: StandInHosts;

	static async start(): Promise<GoogleSheets> {
		const google = new GoogleSheets();
		const isGoogle = (host: string) => host === TOKENS || host === SHEETS;
		google.hosts = await standInFor(isGoogle, (request, response) => {
			void text(request).then((body) => {
				const [status, content] = google.answer(request, body);
				response.writeHead(status, { 'content-type': 'application/json' });
				response.end(JSON.stringify(content));
			});
		});
		return google;
	}

	/** The settings with which n8n reaches the stand-in instead of Google. */
	get env(): NodeJS.ProcessEnv {
		return this.hosts.env;
	}

	/** Hosts that n8n asked for and that are none of Google's. */
	get refusedHosts(): string[] {
		return this.hosts.refusedHosts;
	}

	/** Connects an account as a person does in the editor; gives the credential. */
	async connectAccount(instance: Instance): Promise<{ id: string; name: string }> {
		const { editor, n8n } = instance;
		const name = 'Google Sheets account';
		const data = { clientId: 'client-of-the-test', clientSecret: 'from-the-console' };
		const id = await instance.createCredential(name, 'googleSheetsOAuth2Api', data);
		const page = new URL(await editor.request<string>('GET', `/rest/oauth2-credential/auth?id=${id}`));
		expect(page.hostname).toBe('accounts.google.com');
		expect(page.searchParams.get('scope')).toContain('https://www.googleapis.com/auth/spreadsheets');
		// The person agrees, and the browser comes back.
		const query = new URLSearchParams({ code: 'agreed', state: String(page.searchParams.get('state')) });
		const back = await fetch(`${n8n.url}/rest/oauth2-credential/callback?${query}`, {
			headers: { cookie: editor.cookie },
		});
		expect([back.status, await back.text()]).toEqual([200, expect.stringContaining('Connection successful')]);
		return { id, name };
	}

	/** Lets each Google Sheets node of an example use this spreadsheet, as a person who chooses it. */
	chooseIn({ nodes }: WorkflowFile, account: { id: string; name: string }): void {
		for (const node of nodes.filter(({ type }) => type === 'n8n-nodes-base.googleSheets')) {
			node.credentials = { googleSheetsOAuth2Api: account };
			node.parameters.documentId = byId(this.id);
			node.parameters.sheetName = { __rl: true, mode: 'name', value: TITLE };
			// n8n waits five seconds at most.
			Object.assign(node, { waitBetweenTries: 100 });
		}
	}

	/** The rows as objects, without the columns that are empty. */
	get contacts(): Array<Record<string, Cell>> {
		const [columns = [], ...rows] = this.rows;
		return rows.map((row) =>
			Object.fromEntries(row.map((cell, index) => [columns[index], cell] as const).filter(([, cell]) => cell !== '')),
		);
	}

	async stop(): Promise<void> {
		await this.hosts.stop();
	}

	private answer({ method, url = '', headers }: IncomingMessage, body: string): Answer {
		const { pathname } = new URL(url, `https://${headers.host}`);
		if (headers.host === TOKENS) {
			const { grant_type: grant, code } = Object.fromEntries(new URLSearchParams(body));
			return method === 'POST' && pathname === '/token' && grant === 'authorization_code' && code === 'agreed'
				? [200, { access_token: this.token, refresh_token: 'again', expires_in: 3599, token_type: 'Bearer' }]
				: [400, { error: 'invalid_grant' }];
		}
		const asked = `${method} ${decodeURIComponent(pathname).replace(`/v4/spreadsheets/${this.id}`, '')}`;
		if (headers.authorization !== `Bearer ${this.token}`) {
			return [401, failure(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.')];
		}
		if (this.busy > 0) {
			this.busy--;
			return [429, failure(429, 'RESOURCE_EXHAUSTED', "Quota exceeded for quota metric 'Read requests'.")];
		}
		if (this.isReadOnly && method !== 'GET') {
			return [403, failure(403, 'PERMISSION_DENIED', 'The caller does not have permission')];
		}
		return this.sheet(asked, body === '' ? {} : JSON.parse(body));
	}

	/** The sheet's answer to a request, as the API documents it. */
	private sheet(asked: string, body: { values?: Cell[][]; data?: Array<{ range: string; values: Cell[][] }> }): Answer {
		if (asked === 'GET ') {
			return [200, { sheets: [{ properties: { sheetId: SHEET_ID, title: TITLE, index: 0, sheetType: 'GRID' } }] }];
		}
		if (asked === `GET /values/'${TITLE}'`) {
			// As Google does: without the empty cells at the end of a row.
			const values = this.rows.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1));
			return [200, { range: `${TITLE}!A1:Z1000`, majorDimension: 'ROWS', values }];
		}
		if (asked === `PUT /values/${TITLE}!1:1`) {
			this.write('A1', body.values);
			return [200, { updatedRows: 1 }];
		}
		if (asked === 'POST /values:batchUpdate') {
			for (const { range, values } of body.data ?? []) {
				this.write(range.replace(`${TITLE}!`, ''), values);
			}
			return [200, { spreadsheetId: this.id, totalUpdatedCells: body.data?.length }];
		}
		return [404, failure(404, 'NOT_FOUND', `The stand-in has no ${asked}.`)];
	}

	/** Writes a row from a cell on, such as `D2`. */
	private write(cell: string, values: Cell[][] = []): void {
		const [, letter, number] = cell.match(/^([A-Z])(\d+)$/) ?? [];
		const first = String(letter).charCodeAt(0) - 'A'.charCodeAt(0);
		const row = (this.rows[Number(number) - 1] ??= []);
		for (const [index, value] of (values[0] ?? []).entries()) {
			while (row.length < first + index) {
				row.push('');
			}
			row[first + index] = value;
		}
	}
}

function failure(code: number, status: string, message: string): object {
	return { error: { code, message, status } };
}
