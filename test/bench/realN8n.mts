import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { importInto } from '../../scripts/n8n/cli.mts';
import { Editor } from '../../scripts/n8n/editor.mts';
import { type N8nServer, startN8n } from '../../scripts/n8n/server.mts';
import { owner } from '../e2e/owner.mts';
import type { Step } from './job.mts';
import { folder, userFolder } from './lab.mts';

const log = (name: string) => join(folder, 'logs', `${name}.log`);

/** A node with the type of its credential. */
export interface RealStep extends Step {
	credential?: string;
	webhookId?: string;
}

/** A real n8n with our package, and a logged-in owner. */
export class RealN8n {
	readonly editor: Editor;
	private readonly server: N8nServer;
	private constructor(server: N8nServer) {
		this.editor = new Editor(server.url);
		this.server = server;
	}

	/** @param credentials the data of the credentials, by type */
	static async start(credentials: Record<string, Record<string, string>>): Promise<RealN8n> {
		const stored = Object.entries(credentials).map(([type, data]) => ({ id: type, name: type, type, data }));
		await importInto(userFolder, 'credentials', stored, log('import'));
		const n8n = new RealN8n(await startN8n({ userFolder, logFile: log('n8n'), port: 5800 }));
		try {
			// An earlier row may already have set up the owner.
			await n8n.editor.setUpOwner(owner).catch(() => n8n.editor.logIn(owner));
			return n8n;
		} catch (error) {
			await n8n.stop();
			throw error;
		}
	}

	get url(): string {
		return this.server.url;
	}

	/** Saves a workflow with a chain of nodes. @returns its ID */
	async createWorkflow(steps: readonly RealStep[], settings: object = {}): Promise<string> {
		const nodes = steps.map(({ credential, ...step }, index) => ({
			id: randomUUID(),
			typeVersion: 1,
			position: [200 * index, 0],
			parameters: {},
			...step,
			...(credential && { credentials: { [credential]: { id: credential, name: credential } } }),
		}));
		const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
		const connections = Object.fromEntries(steps.slice(1).map(({ name }, index) => [steps[index]!.name, to(name)]));
		const workflow = { name: `Measured ${randomUUID()}`, nodes, connections, settings };
		return (await this.editor.request<{ id: string }>('POST', '/rest/workflows', workflow)).id;
	}

	async stop(): Promise<void> {
		await this.server.stop();
	}
}
