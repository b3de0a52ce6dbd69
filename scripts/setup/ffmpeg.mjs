import { find, findOrInstall } from './debian.mjs';

/** Returns the path of an ffmpeg: one in PATH, or one that apt-get installs now. */
export async function prepareFfmpeg(env = process.env) {
	const what = {
		name: 'ffmpeg',
		size: 'about half a minute, 300 MB',
		packages: () => ['ffmpeg'],
		missing: 'ffmpeg makes the pictures of the documentation, and there is none here.',
		otherWay: 'Install ffmpeg so that it is on the path, then run the same command again.',
	};
	return await findOrInstall(() => find('ffmpeg', env), what, env);
}
