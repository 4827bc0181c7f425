"""The same games in Polars and in DuckDB, without a file. Needs polars, duckdb and pyarrow."""

import duckdb
import polars as pl
import pyarrow as pa

import jigo

games = jigo.play(size=9, games=100_000, seed=1)

print(pl.DataFrame(games).group_by("plies").agg(pl.len(), pl.col("margin").mean()).sort("len").tail(3))

stream = pa.RecordBatchReader.from_stream(games)  # read batch by batch: memory does not grow with the number of games
print(duckdb.sql("select count(*) as games, avg(margin) as margin, count(*) filter (len(refused) > 0) as superko from stream"))
