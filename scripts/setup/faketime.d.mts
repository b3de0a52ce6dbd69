export function prepareFaketime(env?: NodeJS.ProcessEnv, folder?: string): Promise<string>;
