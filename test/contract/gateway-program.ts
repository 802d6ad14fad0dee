/**
 * A gateway in a process of its own, since whom Node trusts is settled when it starts. Arguments: the upstream's base URL and the proxy as JSON. Prints a line of JSON
 * for the door's URL, then one for each call that is closed; ends when its input does.
 */
import { createDoors } from "../../src/gateway/door-server.ts";
import { createTestDesk, noTools, openPlain, plainFormat } from "./gateway-desk.ts";

const [baseUrl = "", proxy = "null"] = process.argv.slice(2);
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
const doors = createDoors({
  newSecret: () => "secret",
  models: {
    upstreams: [{ name: "up", baseUrl, format: plainFormat, key: null }],
    openAnswer: openPlain,
    proxy: JSON.parse(proxy) ?? { http: null, https: null, none: null },
  },
});
const desk = createTestDesk();
const { modelUrls } = await doors.open(noTools, desk);
say({ url: modelUrls["up"] });
void (async () => {
  for (let count = 1; ; count += 1) say((await desk.finished(count)).at(-1));
})();
process.stdin.resume().once("end", () => void doors.close().then(() => process.exit(0)));
