// Writes the jobs of the example, one a line: `node make-jobs.mjs [COUNT=400] > jobs.jsonl`. The same count gives the same bytes on every machine.
const count = Number(process.argv[2] ?? 400);

const places = [
  "Januaria",
  "Chapada",
  "Formoso",
  "Buritis",
  "Arinos",
  "Urucuia",
  "Cordisburgo",
  "Morro da Garca",
  "Tres Marias",
  "Curvelo",
];
const seasons = ["in the dry months", "after the first rain", "when the river is high", "at the end of winter"];
const goods = ["cattle", "salt", "a sick child", "mail", "cotton", "a wedding party", "tools"];

function question(number) {
  const from = places[number % places.length];
  const to = places[(number * 7 + 3) % places.length];
  const season = seasons[Math.floor(number / 3) % seasons.length];
  const load = goods[Math.floor(number / 10) % goods.length];
  return `Question ${number}: by which path does one go from ${from} to ${to} with ${load} ${season}?`;
}

for (let number = 1; number <= count; number += 1) console.log(JSON.stringify({ id: String(number), question: question(number) }));
