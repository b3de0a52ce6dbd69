import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { standInFor } from './standInHosts.mts';

/** What is served of a package: its manifest and the tarball. */
interface Published {
	manifest: { name: string; version: string };
	tarball: string;
}

/**
 * Starts the npm registry with one package, for an n8n that installs from npm's own address: only with a license does
 * n8n use another one.
 *
 * @param folder an empty folder for its files
 * @returns the settings with which n8n, and npm, use it, and the paths that were asked for
 */
export async function startNpmRegistry(folder: string, { manifest, tarball }: Published) {
	const { name, version } = manifest;
	const bytes = readFileSync(tarball);
	const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
	const file = `/${name}/-/${name}-${version}.tgz`;
	const paths: string[] = [];
	const isRegistry = (host: string) => host.startsWith('registry.');
	const { env: proxy, stop } = await standInFor(isRegistry, ({ url = '', headers }, response) => {
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
		...proxy,
		npm_config_https_proxy: proxy.HTTPS_PROXY,
		npm_config_userconfig: settingsFile,
		npm_config_cache: join(folder, 'npm-cache'),
	};
	return { env, paths, stop };
}
