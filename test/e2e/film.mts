import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { CDPSession, Locator, Page } from 'playwright-core';

/** A frame as Chromium sends it. */
interface ScreencastFrame {
	data: string;
	sessionId: number;
	metadata: { timestamp?: number };
}

/** How long the last frame stays. */
const LAST_SECONDS = 3;
/** How long it takes to read a caption: a moment to find it, then 17 characters in a second. */
const FIND_MS = 1200;
const READ_MS = 60;
/** The way of the mouse to what is clicked. */
const GLIDE_STEPS = 24;
const GLIDE_STEP_MS = 20;
const REST_MS = 350;
const KEY_MS = 30;

/** Draws a caption at the bottom, and an arrow where the mouse is, with a ring around it while its button is down. */
const overlay = `(text, [left, top]) => {
	if (!document.getElementById('film')) {
		const film = document.createElement('div');
		film.id = 'film';
		film.innerHTML = '<div style="position:fixed;left:50%;bottom:28px;transform:translateX(-50%);width:max-content;' +
			'max-width:1100px;z-index:2147483647;pointer-events:none;padding:14px 26px;border-radius:10px;' +
			'background:rgba(20,22,40,.92);color:#fff;font:600 22px/1.35 sans-serif;text-align:center"></div>' +
			'<div style="position:fixed;width:0;height:0;z-index:2147483647;pointer-events:none">' +
			'<i style="position:absolute;left:-22px;top:-22px;width:38px;height:38px;border-radius:50%;' +
			'border:3px solid #ff6d5a;background:rgba(255,109,90,.3);visibility:hidden"></i>' +
			'<svg width="30" height="36" viewBox="0 0 20 24" style="position:absolute;left:-2px;top:-2px">' +
			'<path d="M1 1v18l4.6-4.3 3 7 3.4-1.4-3-6.9 6.3-.4z" fill="#111" stroke="#fff" stroke-width="1.6"/></svg></div>';
		document.documentElement.append(film);
		const mouse = film.children[1];
		const ring = mouse.firstChild;
		addEventListener('mousemove', ({ clientX, clientY }) => {
			mouse.style.left = clientX + 'px';
			mouse.style.top = clientY + 'px';
		}, true);
		addEventListener('pointerdown', () => {
			ring.style.visibility = 'visible';
			setTimeout(() => { ring.style.visibility = 'hidden'; }, 450);
		}, true);
		mouse.style.left = left + 'px';
		mouse.style.top = top + 'px';
	}
	const [caption] = document.getElementById('film').children;
	caption.textContent = text;
	caption.style.visibility = text === '' ? 'hidden' : 'visible';
}`;

/** Records what a page shows, with captions and a mouse that can be followed, and takes pictures of it. */
export class Film {
	private readonly page: Page;
	private readonly folder: string;
	private readonly frames: Array<{ file: string; seconds: number }> = [];
	private session: CDPSession | undefined;
	private pictures = 0;
	private mouse: [x: number, y: number] = [720, 450];
	private isCutting = false;
	private cutSeconds = 0;

	/** @param folder where the pictures and the video go; what is there is deleted */
	constructor(page: Page, folder: string) {
		this.page = page;
		this.folder = folder;
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(join(folder, 'frames'), { recursive: true });
	}

	/** Begins to record. */
	async start(): Promise<void> {
		const session = await this.page.context().newCDPSession(this.page);
		this.session = session;
		session.on('Page.screencastFrame', ({ data, sessionId, metadata }: ScreencastFrame) => {
			void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
			if (this.isCutting) {
				return;
			}
			const file = join(this.folder, 'frames', `${String(this.frames.length).padStart(5, '0')}.jpg`);
			writeFileSync(file, Buffer.from(data, 'base64'));
			this.frames.push({ file, seconds: (metadata.timestamp ?? Date.now() / 1000) - this.cutSeconds });
		});
		await session.send('Page.startScreencast', { format: 'jpeg', quality: 90, everyNthFrame: 2 });
	}

	/**
	 * Shows a caption for as long as it takes to read it.
	 *
	 * @param text plain words; it stays until the next one
	 */
	async say(text: string): Promise<void> {
		await this.show(text);
		await sleep(FIND_MS + text.length * READ_MS);
	}

	private async show(text: string): Promise<void> {
		await this.page.evaluate(`(${overlay})(${JSON.stringify(text)}, ${JSON.stringify(this.mouse)})`);
	}

	/** Does something that the film leaves out, such as loading a page. */
	async cut<T>(action: () => Promise<T>): Promise<T> {
		const started = Date.now();
		this.isCutting = true;
		try {
			return await action();
		} finally {
			this.cutSeconds += (Date.now() - started) / 1000;
			this.isCutting = false;
		}
	}

	/** Moves the mouse to something, as slowly as a person does. */
	async pointAt(target: Locator): Promise<void> {
		await target.waitFor();
		await target.scrollIntoViewIfNeeded();
		const box = await target.boundingBox();
		if (!box) {
			throw new Error('There is nothing to point at.');
		}
		const [fromX, fromY] = this.mouse;
		const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
		for (let step = 1; step <= GLIDE_STEPS; step++) {
			const part = (1 - Math.cos((Math.PI * step) / GLIDE_STEPS)) / 2;
			await this.page.mouse.move(fromX + (x - fromX) * part, fromY + (y - fromY) * part);
			await sleep(GLIDE_STEP_MS);
		}
		this.mouse = [x, y];
		await sleep(REST_MS);
	}

	/** Moves the mouse to something and clicks on it. */
	async click(target: Locator): Promise<void> {
		await this.pointAt(target);
		await target.click();
		await sleep(REST_MS);
	}

	/** Clicks into a field and types a text in place of what it has. */
	async type(target: Locator, text: string): Promise<void> {
		await this.click(target);
		await target.fill('');
		await target.pressSequentially(text, { delay: KEY_MS });
		await sleep(REST_MS);
	}

	/** Takes a picture without caption and mouse. */
	async picture(name: string): Promise<void> {
		this.pictures += 1;
		const path = join(this.folder, `${String(this.pictures).padStart(2, '0')}-${name}.png`);
		const style = '#film { display: none !important; }';
		await this.cut(async () => await this.page.screenshot({ path, style }));
	}

	/**
	 * Ends the recording and writes the video.
	 *
	 * @param ffmpeg the program file of ffmpeg
	 * @returns the file, and the length in seconds
	 */
	async finish(ffmpeg: string): Promise<{ file: string; seconds: number }> {
		await this.session?.send('Page.stopScreencast');
		const first = this.frames[0];
		const last = this.frames.at(-1);
		if (!first || !last) {
			throw new Error('Chromium sent no frame.');
		}
		// Chromium sends a frame when something changes: each one stays until the next.
		const lines = this.frames.map(({ file, seconds }, index) => {
			const next = this.frames[index + 1]?.seconds ?? seconds + LAST_SECONDS;
			return `file '${file}'\nduration ${Math.max(0.001, next - seconds).toFixed(3)}`;
		});
		const list = join(this.folder, 'frames.txt');
		writeFileSync(list, `${lines.join('\n')}\nfile '${last.file}'\n`);
		const file = join(this.folder, 'tour.webm');
		// Constant quality: texts stay sharp, and what stands still takes no space.
		const quality = '-c:v libvpx-vp9 -b:v 0 -crf 38 -deadline good -cpu-used 5 -row-mt 1 -g 240 -pix_fmt yuv420p';
		const input = ['-y', '-loglevel', 'error', '-f', 'concat', '-safe', '0', '-i', list];
		await promisify(execFile)(ffmpeg, [...input, '-r', '12', ...quality.split(' '), file]);
		rmSync(join(this.folder, 'frames'), { recursive: true, force: true });
		rmSync(list);
		return { file, seconds: last.seconds - first.seconds + LAST_SECONDS };
	}
}
