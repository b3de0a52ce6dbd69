import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { StandInHosts } from './standInHosts.mts';

/** What is served of a package: its manifest and the tarball. */
interface Published {
	manifest: { name: string; version: string };
	tarball: string;
}

/**
 * The npm registry with one package, for an n8n that installs from npm's own address: only with a license does n8n use
 * another one.
 */
export class NpmRegistry {
	/** The settings with which n8n, and npm, use this registry. */
	readonly env: NodeJS.ProcessEnv;
	/** The paths that were asked for. */
	readonly paths: string[];
	private readonly hosts: StandInHosts;

	private constructor(env: NodeJS.ProcessEnv, paths: string[], hosts: StandInHosts) {
		this.env = env;
		this.paths = paths;
		this.hosts = hosts;
	}

	/** @param folder an empty folder for its files */
	static async start(folder: string, { manifest, tarball }: Published): Promise<NpmRegistry> {
		const { name, version } = manifest;
		const bytes = readFileSync(tarball);
		const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
		const file = `/${name}/-/${name}-${version}.tgz`;
		const paths: string[] = [];
		const isRegistry = (host: string) => host.startsWith('registry.');
		const hosts = await StandInHosts.start(isRegistry, ({ url = '', headers }, response) => {
			const path = decodeURIComponent(url);
			paths.push(path);
			const published = { ...manifest, dist: { tarball: `https://${headers.host}${file}`, integrity } };
			const answers: Record<string, object> = {
				[`/${name}`]: { name, 'dist-tags': { latest: version }, versions: { [version]: published } },
				[`/${name}/latest`]: published,
				[`/${name}/${version}`]: published,
			};
			const answer = path === file ? bytes : answers[path] && JSON.stringify(answers[path]);
			response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(answer ?? '{}');
		});
		const settingsFile = join(folder, 'npmrc');
		writeFileSync(settingsFile, '');
		const env = {
			...hosts.env,
			npm_config_https_proxy: hosts.env.HTTPS_PROXY,
			npm_config_userconfig: settingsFile,
			npm_config_cache: join(folder, 'npm-cache'),
		};
		return new NpmRegistry(env, paths, hosts);
	}

	async stop(): Promise<void> {
		await this.hosts.stop();
	}
}
