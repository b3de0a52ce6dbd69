import { ownPrograms } from './ownPrograms.mts';

const { call, path, program } = ownPrograms();

/** Looks for ffmpeg where there is nothing but the test's own programs. */
const prepare = (user: number) => call(user, 'ffmpeg.mjs', 'prepareFfmpeg', { PATH: path() });

test('an ffmpeg on the path is taken as it is, a missing one is installed by apt-get as root', () => {
	const target = path('ffmpeg');
	program('apt-get', `[ "$1" = update ] || { echo "$*" > "${target}"; /bin/chmod +x "${target}"; }`);
	expect(prepare(0)).toBe(target);
	program('apt-get', 'exit 1');
	expect(prepare(0)).toBe(target);
});

test('without root the error says what to install', () => {
	expect(prepare(1000)).toBe(
		'ffmpeg makes the video and the pictures of the documentation, and there is none here. Install ffmpeg so that it is on the path, then run the same command again.',
	);
});
