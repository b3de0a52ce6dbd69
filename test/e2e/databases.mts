import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { userFolders } from '../../scripts/lib/places.mts';
import { freePort, type OwnProcess, runProcess, until } from '../../scripts/lib/process.mts';

/** The databases of n8n in queue mode. */
export interface Databases {
	/** n8n's settings for them. */
	env: NodeJS.ProcessEnv;
	stop(): Promise<void>;
}

/** Starts empty PostgreSQL and Redis servers for one test. @param firstPort the port to try first */
export async function startDatabases(firstPort: number): Promise<Databases> {
	const { INITDB_PATH: initdb, POSTGRES_PATH: postgres, REDIS_PATH: redis } = process.env;
	if (!initdb || !postgres || !redis) {
		throw new Error('Nothing says where PostgreSQL and Redis are: run this by "npm run test:e2e -- queueMode".');
	}
	const folder = mkdtempSync(join(userFolders, 'e2e-databases-'));
	const common = { cwd: folder, env: process.env };

	const user = otherUser();
	if (user) {
		chownSync(folder, user.uid, user.gid);
	}
	const data = join(folder, 'postgres');
	const args = ['-D', data, '--username=n8n', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
	await runProcess({ name: 'initdb', program: initdb, args, ...common, user, logFile: join(folder, 'initdb.log') });

	const [postgresPort, redisPort] = [await freePort(firstPort), await freePort(firstPort + 1)].map(String);
	const started: OwnProcess[] = [];
	const start = async (name: string, program: string, args: string[]) => {
		const logFile = join(folder, `${name}.log`);
		const server = harness.startProcess({ name, program, args, ...common, user, logFile });
		started.push(server);
		const isReady = async () => {
			if (!server.isRunning()) {
				throw server.failure(`${await server.ended} while starting`);
			}
			return /ready to accept connections/i.test(readFileSync(logFile, 'utf8')) || undefined;
		};
		await until(isReady, { seconds: 60, otherwise: () => server.failure('was not ready after a minute') });
	};
	const stop = async () => {
		for (const server of started) {
			await server.stop();
		}
		rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	};
	try {
		// The tests kill only n8n: their data do not have to survive a crash of the machine.
		const forPostgres = `-D ${data} -p ${postgresPort} -h 127.0.0.1 -c fsync=off -k`;
		await start('PostgreSQL', postgres, [...forPostgres.split(' '), '']);
		const forRedis = `--port ${redisPort} --bind 127.0.0.1 --appendonly no --save`;
		await start('Redis', redis, [...forRedis.split(' '), '']);
	} catch (error) {
		await stop();
		throw error;
	}
	return {
		env: {
			EXECUTIONS_MODE: 'queue',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: postgresPort,
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
			// Each process has two connections by default. On a busy machine n8n gives up waiting for one, and its
			// executions stay as they were.
			DB_POSTGRESDB_POOL_SIZE: '10',
			DB_POSTGRESDB_CONNECTION_TIMEOUT: '120000',
			DB_PING_TIMEOUT_MS: '60000',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: redisPort,
		},
		stop,
	};
}

/** PostgreSQL refuses to run as root. Its Debian package creates a user for it. */
function otherUser(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) {
		return undefined;
	}
	const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
	if (uid === undefined) {
		throw new Error('PostgreSQL does not run as root, and there is no user "postgres" to run it as.');
	}
	return { uid: Number(uid), gid: Number(gid) };
}
